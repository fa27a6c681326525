"""The command line. It parses options with Click, calls the other packages and prints their results.

Modules that only some commands need are imported when these commands run, so that all commands start fast.
"""

from randomizer.cli.main import main

__all__ = ["main"]
