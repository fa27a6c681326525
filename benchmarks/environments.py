"""Environments for the benchmarks: this program installed as a wheel, and the peer from the package index.

They are made below build/. The peer, which is called `dominion-setup` on the package index, is only run.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "build" / "benchmarks"
PEER = "dominion-setup==2026.4.0"

# No defaults of the user's own hold, and the last table and the history are not the user's.
for _folder in ("CONFIG", "STATE", "DATA"):
    os.environ[f"XDG_{_folder}_HOME"] = str(FOLDER / _folder.lower())


def ours() -> Path:
    """The folder of the commands of an environment with this program, installed anew."""
    return _made("ours", "--force-reinstall", str(ROOT))


def peer() -> Path:
    """The same with the peer."""
    return _made("peer", PEER)


def _made(name: str, *install: str) -> Path:
    folder = FOLDER / name
    commands = folder / ("Scripts" if sys.platform == "win32" else "bin")
    if not commands.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pip = [str(commands / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *install], check=True, stderr=subprocess.DEVNULL)
    return commands
