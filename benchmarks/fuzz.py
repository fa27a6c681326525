"""Coverage-guided fuzzing with the functions of tests/support/fuzz.py.

`python -m benchmarks.fuzz NAME [OPTIONS]` runs until something fails, or for `-max_total_time=SECONDS`, an
option of libFuzzer. The corpus is kept in build/fuzz/NAME, and failing inputs in build/fuzz/NAME-failed. This
requires atheris, which runs on Linux: `pip install atheris`.
"""

import os
import sys
from typing import Any

import atheris

from benchmarks.environments import ROOT

with atheris.instrument_imports(include=["randomizer"]):
    from tests.support import fuzz


def main() -> None:
    """Fuzz the function that is named on the command line."""
    functions: dict[str, Any] = {
        name: function for name, function in vars(fuzz).items() if hasattr(function, "hypothesis")
    }
    name = sys.argv[1] if sys.argv[1:] else ""
    if name not in functions:
        sys.exit(f"one of: {', '.join(functions)}")
    corpus_folder, failures_folder = (ROOT / "build" / "fuzz" / folder for folder in (name, f"{name}-failed"))
    for folder in (corpus_folder, failures_folder):
        folder.mkdir(parents=True, exist_ok=True)
    options = [f"-artifact_prefix={failures_folder}{os.sep}", *sys.argv[2:], str(corpus_folder)]
    atheris.Setup([sys.argv[0], *options], functions[name].hypothesis.fuzz_one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
