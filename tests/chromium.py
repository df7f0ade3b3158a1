"""Headless Chromium for tests, spoken to over its debugging pipe: the browser itself is all that it needs."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ABSENT = "no Chromium here (Debian, Ubuntu: apt-get install chromium)"
_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--remote-debugging-pipe",
)


class Tab:
    """One page: what it logs is kept in `logged`, errors and warnings alike."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back = to, back
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.logged: list[str] = []
        self.loaded = False
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")

    def open(self, url: str, *, width: int = 1280, height: int = 900) -> None:
        """Load a page, and wait until it is loaded."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.loaded = False
        self.send("Page.navigate", url=url)
        while not self.loaded:
            self._take(self._message())

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression in the page."""
        found = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def picture(self, file: Path, *, whole: bool = False) -> None:
        """A PNG of what is seen, or of the whole page."""
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        file.write_bytes(base64.b64decode(data))

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer to a command of the DevTools protocol."""
        self._number += 1
        command: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session is not None:
            command["sessionId"] = self._session
        os.write(self._to, json.dumps(command).encode() + b"\0")
        while True:
            message = self._message()
            if message.get("id") == self._number:
                assert "error" not in message, message["error"]
                found: dict[str, Any] = message["result"]
                return found
            self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        if message.get("method") == "Page.loadEventFired":
            self.loaded = True
        elif message.get("method") == "Log.entryAdded":
            self.logged.append(params["entry"]["text"])
        elif message.get("method") in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled"):
            self.logged.append(json.dumps(params))

    def _message(self) -> dict[str, Any]:
        until = time.monotonic() + 60
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._back], [], [], max(0.0, until - time.monotonic()))
            part = os.read(self._back, 1 << 20) if ready else b""
            assert part, "the browser says nothing more"
            self._buffer += part
        text, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(text)
        return found


@contextmanager
def chromium(profile: Path) -> Iterator[Tab]:
    """A tab of a browser of one's own; `profile` is an empty folder for it."""
    assert BROWSER is not None, ABSENT
    to_read, to = os.pipe()
    back, back_write = os.pipe()

    def place() -> None:
        # The browser reads commands from descriptor 3 and answers on 4.
        first, second = os.dup(to_read), os.dup(back_write)
        os.dup2(first, 3)
        os.dup2(second, 4)

    process = subprocess.Popen(
        [BROWSER, *_FLAGS, f"--user-data-dir={profile}"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        close_fds=False,
        preexec_fn=place,
    )
    os.close(to_read)
    os.close(back_write)
    try:
        yield Tab(to, back)
    finally:
        process.terminate()
        process.wait(20)
        os.close(to)
        os.close(back)
