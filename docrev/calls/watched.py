"""A call that may create something, watched: looked at before it is sent and after it was answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from docrev.calls.creations import Creation, Look, looks_at, shown_to_be_free
from docrev.calls.routes import Routes
from docrev.calls.seen_things import Reference
from docrev.prompts.steps import Invoke
from docrev.records import Call, Json


@dataclass(slots=True)
class Watched:
    """What a call may create, and what that exists it names, with the looks at both.

    `is_own` says whether the run created what a tool has at a path, and whether it is still there; `is_word` whether a
    value of a tool is no thing's own name.
    """

    creations: Sequence[Creation]
    named: Sequence[Reference]
    routes: Routes
    is_own: Callable[[str, str], bool]
    is_word: Callable[[str, Json], bool]
    _looks: list[tuple[Creation | Reference, Look, Call]] = field(default_factory=list)
    _asked: tuple[Creation | Reference, Look] | None = None
    _blind: list[Creation | Reference] = field(default_factory=list)

    @property
    def looks(self) -> int:
        """How many looks were made before the call, and will be after it."""
        return len(self._looks)

    def next_look(self) -> Invoke | None:
        """The look to be made next before the call; None if there is no further."""
        self._asked = next(self._wanted(), None)
        return None if self._asked is None else self._asked[1].invoke

    def saw(self, call: Call | None) -> None:
        """Take in what the look that was asked for showed; None if it could not be made."""
        assert self._asked is not None, "next_look() comes first"
        subject, look = self._asked
        if call is None:
            self._blind.append(subject)
        else:
            self._looks.append((subject, look, call))

    def trouble(self) -> str | None:
        """Why the call must not be sent, by what the looks before it show; None if it may be."""
        for creation in self.creations:
            looks = [(look, call) for subject, look, call in self._looks if subject is creation]
            if (reason := shown_to_be_free(creation, looks, self.is_own, self.is_word)) is not None:
                return reason
        return None

    def made_looks(self) -> list[Invoke]:
        """The looks to be made after the call: those that were made before it."""
        return [look.invoke for _, look, _ in self._looks]

    def pairs(self, subject: Creation | Reference, after: Sequence[Call | None]) -> list[tuple[Look, Call, Call]]:
        """The looks at one subject: (look, before, after), as far as both could be made."""
        made = zip(self._looks, after, strict=False)
        return [(look, before, call) for (about, look, before), call in made if about is subject and call is not None]

    def _wanted(self) -> Iterator[tuple[Creation | Reference, Look]]:
        for creation in self.creations:
            before = [call for subject, _, call in self._looks if subject is creation]
            if not _among(creation, self._blind) and (look := looks_at(creation, self.routes, before)) is not None:
                yield creation, look
        for reference in self.named:
            seen = any(subject is reference for subject, _, _ in self._looks)
            step = self.routes.get(*reference.place)
            if not seen and step is not None and not _among(reference, self._blind):
                yield reference, Look(step, reference.place[1])


def _among(subject: Creation | Reference, subjects: Sequence[Creation | Reference]) -> bool:
    return any(other is subject for other in subjects)
