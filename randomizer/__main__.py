"""Entry point of `dominion-setup`, `dominion-randomizer` and `python -m randomizer`."""

import gc
import sys


def main() -> None:
    """Run the command-line program. Exit with status 130 if it is interrupted with Ctrl-C."""
    # Most commands end before garbage collection would pay off, so collect rarely.
    gc.set_threshold(100_000)
    try:
        # Imported here so that Ctrl-C is handled while modules are still loading.
        from randomizer.cli.main import PROGRAM
        from randomizer.cli.main import main as command

        command(prog_name=PROGRAM if sys.argv[0].endswith("__main__.py") else None)
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        # The operating system frees the memory of a process that ends, so a last collection is unnecessary.
        gc.disable()


if __name__ == "__main__":
    main()
