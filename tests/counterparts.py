"""Programs of others that read what docrev writes: installed from their registry when they are first needed."""

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".counterparts"


def node_program(package: str, version: str, name: str, *others: str) -> Path:
    """The program `name` of an npm package, installed with `others`; the test is skipped if that fails."""
    program = FOLDER / f"{package.replace('/', '-')}-{version}" / "node_modules" / ".bin" / name
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"{package} {version} is not tried: there is no npm")
    FOLDER.mkdir(exist_ok=True)
    with (FOLDER / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.exists():
            folder = program.parents[2]
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "package.json").write_text(json.dumps({"private": True}))
            command = [npm, "install", "--silent", "--no-audit", "--no-fund", f"{package}@{version}", *others]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if done.returncode:
                pytest.skip(f"{package} {version} is not tried: npm could not install it ({done.stderr[-200:]})")
    return program


def python_programs(name: str, *requirements: str) -> Path:
    """The folder with the programs of PyPI packages, in a virtual environment of their own; skipped likewise."""
    programs = FOLDER / name / "bin"
    FOLDER.mkdir(exist_ok=True)
    with (FOLDER / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (FOLDER / name / ".ready").exists():
            subprocess.run([sys.executable, "-m", "venv", "--clear", str(FOLDER / name)], check=True)
            command = [str(programs / "python"), "-m", "pip", "install", "-q", *requirements]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                pytest.skip(f"{name} is not tried: pip could not install it ({done.stderr[-200:]})")
            (FOLDER / name / ".ready").write_text("")
    return programs
