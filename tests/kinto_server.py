"""Kinto, an API that nobody here wrote: installed in its own `.venv-kinto`, started on a free port, memory only."""

from __future__ import annotations

import fcntl
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from patience import HANGS

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv-kinto"
PINS = Path(__file__).with_name("kinto-constraints.txt")
CREDENTIALS = "Basic ZXhwbG9yZXI6Y29ycmVjdC1ob3JzZQ=="  # explorer:correct-horse; basicauth takes any name and password

INI = """\
[app:main]
use = egg:kinto
kinto.storage_backend = kinto.core.storage.memory
kinto.cache_backend = kinto.core.cache.memory
kinto.permission_backend = kinto.core.permission.memory
kinto.userid_hmac_secret = docrev
multiauth.policies = basicauth
kinto.bucket_create_principals = system.Everyone

[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = {port}
threads = 8
"""


def install() -> Path:
    """The `kinto` command; installed from pinned versions when it is not there yet. One installer at a time."""
    with (ROOT / ".venv-kinto.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ready = VENV / ".ready"
        if not ready.exists() or ready.read_text() != PINS.read_text():
            subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
            command = [str(VENV / "bin" / "python"), "-m", "pip", "install", "-q", "-r", str(PINS)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            ready.write_text(PINS.read_text())
    return VENV / "bin" / "kinto"


@contextmanager
def kinto() -> Iterator[str]:
    """A fresh, empty Kinto for as long as the block lasts; yields its base URL, `http://127.0.0.1:PORT/v1`."""
    command = install()
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        ini = Path(folder) / "kinto.ini"
        ini.write_text(INI.format(port=port))
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        with (Path(folder) / "log").open("wb") as log:
            process = subprocess.Popen(
                [str(command), "start", "--ini", str(ini)], stdout=log, stderr=log, env=environment
            )
        try:
            url = f"http://127.0.0.1:{port}/v1"
            _wait(process, url, Path(folder) / "log")
            yield url
        finally:
            process.terminate()
            process.wait(HANGS)


def spec(url: str, path: Path) -> Path:
    """Write the Swagger document that a running Kinto gives of itself to `path`."""
    with urllib.request.urlopen(f"{url}/__api__", timeout=HANGS) as answer:
        path.write_bytes(answer.read())
    return path


def _wait(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    until = time.monotonic() + HANGS
    while time.monotonic() < until and process.poll() is None:
        try:
            urllib.request.urlopen(f"{url}/__lbheartbeat__", timeout=HANGS).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"kinto did not start: {log.read_text(errors='replace')[-2000:]}")
