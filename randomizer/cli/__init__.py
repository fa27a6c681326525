"""The command line. It parses options with Click, calls the other packages and prints their results.

A module that only some commands need is imported when such a command runs, so that all commands start fast.
"""

from randomizer.cli.main import main

__all__ = ["main"]
