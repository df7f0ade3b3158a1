"""Builds the wheel and the sdist, and tries what they install: `make dist`.

On each Python interpreter that is found, the core is installed from the wheel into an environment of its own, asked for
its version, and given a bundled spec to lint; on the one that runs this, `docrev demo` runs from the wheel too. For the
other versions that `pyproject.toml` names, pip resolves what would be installed, without installing it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
THIS = f"{sys.version_info.major}.{sys.version_info.minor}"


def main() -> int:
    """Prints a line for each thing tried; returns 1 if one failed."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", str(DIST), str(ROOT))
    [wheel], [sdist] = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    print(f"{wheel.name}: {len(zipfile.ZipFile(wheel).namelist())} files; {sdist.name}: {files_of(sdist)} files")
    results = [report(version, wheel) for version in versions()]
    return 0 if all(results) else 1


def versions() -> list[str]:
    """The versions of Python that the project says it runs on."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = (re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", text) for text in project["classifiers"])
    return [name[1] for name in named if name]


def files_of(sdist: Path) -> int:
    """How many files an sdist has."""
    with tarfile.open(sdist) as archive:
        return sum(member.isfile() for member in archive)


def report(version: str, wheel: Path) -> bool:
    """Tries one version of Python, and prints what came of it."""
    interpreter = find_interpreter(version)
    try:
        what = installed(interpreter, wheel, demo=version == THIS) if interpreter else resolved(version, wheel)
    except subprocess.CalledProcessError as error:
        print(f"Python {version}: FAILED: {' '.join(map(str, error.cmd))}\n{(error.stderr or '')[-2000:]}")
        return False
    print(f"Python {version}: {what}")
    return True


def find_interpreter(version: str) -> str | None:
    """A Python of this version that runs: this one, one on the PATH, or one of pyenv's; None if there is none."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [sys.executable, shutil.which(f"python{version}"), *sorted(map(str, pyenv.glob(f"{version}.*/bin/python")))]
    return next((each for each in found if each and _version(each) == version), None)


def _version(interpreter: str) -> str:
    """The version of an interpreter as `3.12`; "" if it does not run."""
    command = [interpreter, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def installed(interpreter: str, wheel: Path, *, demo: bool) -> str:
    """Installs the core (and runs the demo, if asked for) in an environment of its own."""
    with TemporaryDirectory() as folder:
        if interpreter == sys.executable:
            venv.create(folder, with_pip=True)
        else:
            run(interpreter, "-m", "venv", folder)
        programs = Path(folder) / "bin"
        run(str(programs / "python"), "-m", "pip", "install", "-q", f"{wheel}[sandbox]" if demo else str(wheel))
        docrev = str(programs / "docrev")
        version = run(docrev, "--version", where=folder).split()[-1]
        specs = run(str(programs / "python"), "-c", "import docrev.specs as s; print(*s.__path__)", where=folder)
        run(docrev, "lint", f"{specs.strip()}/atlas.yaml", where=folder, codes=(0, 1))
        if demo:
            run(docrev, "demo", where=folder)
        return f"docrev {version} installs, and lints a spec" + (", and its demo runs from the wheel" if demo else "")


def resolved(version: str, wheel: Path) -> str:
    """Asks pip what it would install for a version of Python that is not here."""
    run(
        sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--target", "unused",
        "--python-version", version, "--only-binary", ":all:", str(wheel),
    )  # fmt: skip
    return "not here; pip finds every dependency as a wheel"


def run(*command: str, where: str | None = None, codes: tuple[int, ...] = (0,)) -> str:
    """What a command prints. Raises CalledProcessError if it ends with another code."""
    result = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
    if result.returncode not in codes:
        raise subprocess.CalledProcessError(result.returncode, command, result.stdout, result.stderr)
    return result.stdout


if __name__ == "__main__":
    sys.exit(main())
