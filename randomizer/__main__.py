"""`python -m randomizer` is `dominion-setup`."""

from randomizer.cli import main
from randomizer.cli.main import PROGRAM

main(prog_name=PROGRAM)
