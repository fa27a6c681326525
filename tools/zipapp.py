"""The program in a single file: `python -m tools.zipapp` writes `build/dominion-setup.pyz`.

The file contains everything that the program needs, including the server. It runs offline, on every supported
Python and platform. It is built with shiv (https://shiv.readthedocs.io), so it unpacks itself on its first
start.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
OUTPUT = ROOT / "build" / "dominion-setup.pyz"
# starlette and anyio need typing_extensions before Python 3.13. Builds on a newer Python would leave it out.
REQUIREMENTS = (f"{ROOT}[web]", "typing_extensions>=4.10")
# Files to remove: machine code (only orjson needs it, and the program does not need orjson), and scripts and
# metadata that contain paths of the build machine.
UNWANTED_PATTERNS = (
    "**/*.so",
    "**/*.pyd",
    "bin",
    "*.dist-info/direct_url.json",
    "*.dist-info/RECORD",
    "orjson*",
)


def main() -> None:
    """Build the file and print its path."""
    OUTPUT.parent.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        _run_module("pip", "install", "--quiet", "--no-compile", "--target", folder, *REQUIREMENTS)
        for path in [path for pattern in UNWANTED_PATTERNS for path in Path(folder).glob(pattern)]:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        entry_point = ["--entry-point", "randomizer.__main__.main", "--reproducible"]
        _run_module("shiv", *entry_point, "--site-packages", folder, "--output-file", str(OUTPUT))
    print(OUTPUT)


def _run_module(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", *arguments], check=True)


if __name__ == "__main__":
    main()
