"""A chat server that is not ours, for as long as a block lasts: `transformers serve` on the CPU."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
from patience import HANGS
from servers import free_port


@contextmanager
def model_server() -> Iterator[str]:
    """Yields the base URL of its OpenAI-compatible API; the model is the folder that a request names."""
    port = free_port()
    command = [Path(sys.executable).with_name("transformers"), "serve", "--host", "127.0.0.1", "--port", str(port)]
    quiet = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    with subprocess.Popen(
        [*command, "--device", "cpu"],
        env={**os.environ, **quiet},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            _wait(f"http://127.0.0.1:{port}/health", process)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + HANGS
    while time.monotonic() < until and process.poll() is None:
        try:
            if httpx2.get(url, trust_env=False).status_code == 200:
                return
        except httpx2.TransportError:
            time.sleep(0.1)
    raise AssertionError("transformers serve did not start")
