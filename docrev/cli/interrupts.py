"""Ctrl-C and SIGTERM: a command ends soon after either, whatever it is computing; what was finished is kept.

An event loop cannot be left while one of its tasks computes: cancelling waits for the next `await`. So a timer of the
system ends the process if it is still there a moment later. Its handler runs between two instructions of Python, and
within a long search of `re`, where no other thread would get its turn.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from types import FrameType
from typing import Any

EXIT_CODE = 130
LINE = "interrupted; all evidence is kept: the same command goes on, unless it says --fresh"
GRACE_SECONDS = 1.0
"""How long a command may take to close what is open."""
_IMPORTING = "<frozen importlib._bootstrap>"
"""Where Python says that its import runs."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def watch() -> None:
    """From now on SIGINT and SIGTERM end what runs: tasks of an event loop are cancelled, else KeyboardInterrupt."""
    signal.signal(signal.SIGALRM, _give_up)
    for number in _SIGNALS:
        signal.signal(number, _interrupt)


def ignore() -> None:
    """From now on neither signal does anything, and the timer is off: the command is over."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def end() -> None:
    """End the process at once: Python may remember an interrupt that was dealt with, or wait for a thread."""
    os._exit(EXIT_CODE)


def is_interrupt(error: BaseException) -> bool:
    """Whether a signal ended what raised this: tasks are cancelled by nobody else.

    Whatever is raised once a signal came is its doing: Python may replace a KeyboardInterrupt, such as by a TypeError
    where it was about to say that a name cannot be imported.
    """
    cancelled = getattr(sys.modules.get("asyncio"), "CancelledError", KeyboardInterrupt)
    return isinstance(error, KeyboardInterrupt | cancelled) or _is_ending()


def _is_ending() -> bool:
    """Whether a signal came, and the command is closing what is open. Others may have a timer of their own."""
    return signal.getsignal(signal.SIGALRM) is _give_up and signal.getitimer(signal.ITIMER_REAL)[0] > 0


def _give_up(number: int, frame: FrameType | None) -> None:
    os.write(2, f"docrev: {LINE}\n".encode())
    os._exit(EXIT_CODE)


def _be_quiet() -> None:
    """What is torn down in the middle may complain about it: nobody needs to read that."""
    sys.unraisablehook = lambda _: None
    warnings.simplefilter("ignore")
    # Not imported here, and perhaps not to the end where it is.
    disable = getattr(sys.modules.get("logging"), "disable", None)
    if disable is not None:
        disable()


def _running_loop() -> Any:
    """The event loop that is running; None without one. Most commands end before they would import asyncio."""
    try:
        loop = getattr(sys.modules.get("asyncio"), "get_running_loop", None)
        return loop() if loop is not None else None
    except RuntimeError:
        return None


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported where a signal came."""
    while frame is not None and frame.f_code.co_filename != _IMPORTING:
        frame = frame.f_back
    return frame is not None


def _interrupt(number: int, frame: FrameType | None) -> None:
    if _is_ending():
        return
    signal.setitimer(signal.ITIMER_REAL, GRACE_SECONDS)
    _be_quiet()
    loop = _running_loop()
    if loop is None and _is_importing(frame):
        # What starts in C++ cannot be left by an exception: the process would abort, with words of its own.
        _give_up(number, frame)
    if loop is None:
        raise KeyboardInterrupt
    for task in sys.modules["asyncio"].all_tasks(loop):
        task.cancel()
    # It may be waiting for the network.
    loop.call_soon_threadsafe(lambda: None)
