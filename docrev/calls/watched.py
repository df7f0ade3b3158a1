"""A call that may create something, watched: looked at before it is sent and after it was answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from docrev.calls.absences import shown_to_be_free
from docrev.calls.creation_looks import looks_at
from docrev.calls.creations import Creation
from docrev.calls.looks import Look, LookPair
from docrev.calls.other_kinds import OtherKind
from docrev.calls.routes import Routes
from docrev.calls.seen_things import Reference
from docrev.calls.targets import Target
from docrev.prompts.steps import Invoke
from docrev.records import Call, Json

Subject = Creation | Reference | Target | OtherKind


@dataclass(slots=True)
class Watched:
    """What a call may create, what that exists it names, what it changes, and what others
    have that it may change, with the looks at all of these.

    `is_own` says whether the run created what a tool has at a path, and whether it is still there; `is_word` whether a
    value of a tool is no thing's own name.
    """

    creations: Sequence[Creation]
    named: Sequence[Reference]
    routes: Routes
    is_own: Callable[[str, str], bool]
    is_word: Callable[[str, Json], bool]
    targets: Sequence[Target] = ()
    others: Sequence[OtherKind] = ()
    _looks: list[tuple[Subject, Look, Call]] = field(default_factory=list)
    _asked: tuple[Subject, Look] | None = None
    _blind: list[Subject] = field(default_factory=list)

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
            self._looks.append((subject, look, look.shown(call)))

    def trouble(self) -> str | None:
        """Why the call must not be sent, by what the looks before it show; None if it may be."""
        for creation in self.creations:
            if (reason := shown_to_be_free(creation, self.before(creation), self.is_own, self.is_word)) is not None:
                return reason
        return None

    def made_looks(self) -> list[Invoke]:
        """The looks to be made after the call: those that were made before it."""
        return [look.invoke for _, look, _ in self._looks]

    def before(self, subject: Subject) -> list[tuple[Look, Call]]:
        """The looks at one subject before the call, also where it was refused and none is made after it."""
        return [(look, call) for about, look, call in self._looks if about is subject]

    def pairs(self, subject: Subject, after: Sequence[Call | None]) -> list[LookPair]:
        """The looks at one subject: (look, before, after), as far as both could be made."""
        made = zip(self._looks, after, strict=False)
        return [
            (look, before, look.shown(call))
            for (about, look, before), call in made
            if about is subject and call is not None
        ]

    def _wanted(self) -> Iterator[tuple[Subject, Look]]:
        subjects: list[Subject] = [*self.creations, *self.named, *self.targets, *self.others]
        for subject in subjects:
            if not _among(subject, self._blind) and (look := self._further(subject)) is not None:
                yield subject, look

    def _further(self, subject: Subject) -> Look | None:
        """The next look at a subject; None if there is no further."""
        made = self.before(subject)
        if isinstance(subject, Creation):
            return looks_at(subject, self.routes, [call for _, call in made])
        if isinstance(subject, Target | OtherKind):
            return subject.next_look(made)
        step = self.routes.get(*subject.place)
        return None if step is None or made else Look(step, subject.place[1])


def _among(subject: Subject, subjects: Sequence[Subject]) -> bool:
    return any(other is subject for other in subjects)
