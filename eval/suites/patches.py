"""Known faults of public benchmark data and how they are mended: the list is `patches.yaml`, beside this module."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

from docrev.errors import InputError


@dataclass(frozen=True, slots=True)
class Patch:
    """One step of a task's gold path that is wrong in the published data: `was` becomes `becomes`, because of `why`."""

    suite: str
    task: str
    was: str
    becomes: str
    why: str

    def __str__(self) -> str:
        return f"{self.suite} {self.task}: {self.was!r} becomes {self.becomes!r} ({self.why})"


@cache
def patches(suite: str) -> tuple[Patch, ...]:
    """The patches for a suite, in the order of the list."""
    text = files("docrev.eval.suites").joinpath("patches.yaml").read_text("utf-8")
    return tuple(patch for row in yaml.safe_load(text) if (patch := Patch(**row)).suite == suite)


def mend(suite: str, task: str, path: list[str]) -> tuple[list[str], list[Patch]]:
    """A task's gold path, mended, with what was applied.

    Raises InputError if a patch finds nothing to mend: the data is another version than the one it was made for.
    """
    mine = [patch for patch in patches(suite) if patch.task == task]
    for patch in mine:
        if patch.was not in path:
            raise InputError(
                f"a patch mends {patch.was!r}, which is not there",
                where=f"{suite} {task}",
                fix="take the data as it is (unmended), or the version that the patches are for",
            )
        path = [patch.becomes if step == patch.was else step for step in path]
    return path, mine
