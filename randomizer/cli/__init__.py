"""The command line: reads options, calls, prints. The only room that knows Click; it decides nothing.

Whatever a command needs is imported when it runs, so that each starts as fast as it can.
"""

from randomizer.cli.main import main

__all__ = ["main"]
