"""Where the program begins: `dominion-setup`, `dominion-randomizer`, and `python -m randomizer`.

Ctrl-C ends it quietly, from the first moment to the last.
"""

import gc
import os
import sys
from contextlib import suppress


def main() -> None:
    """Run the command line, and end the process."""
    gc.set_threshold(100_000)  # a command is over before a collection could pay for itself
    try:
        from randomizer.cli.main import PROGRAM
        from randomizer.cli.main import main as command

        try:
            command(prog_name=PROGRAM if sys.argv[0].endswith("__main__.py") else None)
        except SystemExit as ended:
            _end(ended.code)
            raise
        finally:
            gc.freeze()  # what a command leaves goes with the process
            sys.unraisablehook = lambda _: None  # what happens on the way out is nobody's concern
    except KeyboardInterrupt:
        sys.exit(130)


def _end(status: object) -> None:
    """End at once, once all is printed: to take everything apart first would take 2 ms."""
    with suppress(OSError):  # nobody reads any more: the usual end knows what to do
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        if isinstance(status, int):
            os._exit(status)


if __name__ == "__main__":
    main()
