"""Commands in processes of their own: what they took of processor and memory. Many people may share the machine."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

DOCREV = [sys.executable, "-m", "docrev"]

_BETWEEN = """
import os, sys
null = os.open(os.devnull, os.O_RDWR)
files = [(os.POSIX_SPAWN_DUP2, null, number) for number in range(3)]
_, status, used = os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=files), 0)
print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


@dataclass(frozen=True)
class Measured:
    """What a process and its children took: seconds of processor, and MB of memory at most of any one of them."""

    code: int
    seconds: float
    memory: float

    def is_within(self, seconds: float, memory: float) -> bool:
        """Whether it took less."""
        return self.seconds < seconds and self.memory < memory

    def __str__(self) -> str:
        return f"{self.seconds:.1f}, {self.memory:.0f}"


def measured(*words: str) -> Measured:
    """Run `docrev` with these words to its end; what it prints is dropped."""
    # A process starts with the memory of the one that made it as its peak: one between is small.
    between = [sys.executable, "-S", "-c", _BETWEEN, *DOCREV, *words]
    printed = subprocess.run(between, check=True, stdout=subprocess.PIPE, text=True).stdout
    code, seconds, memory = printed.split()
    return Measured(int(code), float(seconds), float(memory))
