"""The command line: reads options, calls, prints; it decides nothing. Besides `web/command` only its
rooms know Click.

Whatever a command needs is imported when it runs, so that each starts as fast as it can.
"""

from randomizer.cli.main import main

__all__ = ["main"]
