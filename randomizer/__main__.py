"""Where the program begins: `dominion-setup`, `dominion-randomizer`, and `python -m randomizer`.

Ctrl-C ends it quietly, from the first moment to the last.
"""

import gc
import sys


def main() -> None:
    """Run the command line."""
    gc.set_threshold(100_000)  # a command is over before a collection could pay for itself
    try:
        from randomizer.cli.main import PROGRAM
        from randomizer.cli.main import main as command

        try:
            command(prog_name=PROGRAM if sys.argv[0].endswith("__main__.py") else None)
        finally:
            gc.freeze()  # what a command leaves goes with the process
            sys.unraisablehook = lambda _: None  # what happens on the way out is nobody's concern
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
