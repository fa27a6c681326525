"""Virtual environments for the benchmarks: one with this program, and one with the peer program.

They are created in build/. The peer is the package `dominion-setup` of the package index. It is under the
GPL and is only run, never read.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "build" / "benchmarks"
PEER = "dominion-setup==2026.4.0"

# Keep the benchmarks independent of the user's configuration, last table and history.
for _folder in ("CONFIG", "STATE", "DATA"):
    os.environ[f"XDG_{_folder}_HOME"] = str(FOLDER / _folder.lower())


def install_ours() -> Path:
    """Install this program into an environment and return the folder of its commands."""
    return _install("ours", "--force-reinstall", str(ROOT))


def install_peer() -> Path:
    """Install the peer into an environment and return the folder of its commands."""
    return _install("peer", PEER)


def _install(name: str, *requirements: str) -> Path:
    folder = FOLDER / name
    commands = folder / ("Scripts" if sys.platform == "win32" else "bin")
    if not commands.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pip = [str(commands / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *requirements], check=True, stderr=subprocess.DEVNULL)
    return commands
