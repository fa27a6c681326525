"""Fuzz tests of command lines, data files and documents. `benchmarks.fuzz` shares their functions."""

from tests.support.fuzz import (
    test_invalid_options_of_a_document_are_refused,
    test_malformed_data_file_is_refused,
    test_malformed_document_is_refused,
    test_mutated_data_file_ends_without_traceback,
    test_mutated_document_ends_without_traceback,
    test_random_command_line_ends_without_traceback,
    test_random_data_file_ends_without_traceback,
    test_random_document_is_refused,
    test_sample_game_is_dealt,
)

__all__ = [
    "test_invalid_options_of_a_document_are_refused",
    "test_malformed_data_file_is_refused",
    "test_malformed_document_is_refused",
    "test_mutated_data_file_ends_without_traceback",
    "test_mutated_document_ends_without_traceback",
    "test_random_command_line_ends_without_traceback",
    "test_random_data_file_ends_without_traceback",
    "test_random_document_is_refused",
    "test_sample_game_is_dealt",
]
