"""Whatever comes in, there is no traceback. Its functions are in `tests.support`, for the fuzzer too."""

from tests.support.fuzz import (
    test_a_changed_data_file,
    test_a_changed_document,
    test_any_command_line,
    test_anything_for_a_data_file,
    test_anything_for_a_document,
    test_hard_data_files,
    test_hard_documents,
    test_options_that_no_deal_has,
    test_the_true_data_file_is_one,
)

__all__ = [
    "test_a_changed_data_file",
    "test_a_changed_document",
    "test_any_command_line",
    "test_anything_for_a_data_file",
    "test_anything_for_a_document",
    "test_hard_data_files",
    "test_hard_documents",
    "test_options_that_no_deal_has",
    "test_the_true_data_file_is_one",
]
