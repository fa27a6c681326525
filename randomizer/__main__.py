"""`python -m randomizer` is `dominion-setup`."""

from randomizer.cli import main
from randomizer.cli.shared import PROGRAM

main(prog_name=PROGRAM)
