"""Which operations bring back what a backup or a snapshot holds, in the place of all that there is by now.

The backup may be the run's own. What it was made of is not, unless it lies in something of the run's own.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from docrev.calls.effects import parents_above
from docrev.calls.path_texts import last_segment
from docrev.language.verbs import base_forms
from docrev.language.words import singular_words, word_set, words

if TYPE_CHECKING:
    from docrev.calls.effects import Effects
    from docrev.spec.operation import Operation

_COPIES = word_set("archive backup checkpoint dump export savepoint snapshot")
"""What holds the state of other things as it was."""
_BRINGING_BACK = word_set("apply import load reapply recover reinstate reload restore revert rollback undo")
_RESTORATIONS = word_set("reinstatement restore restoration rollback")
"""What things are called that bring something back by being created: `POST /restores`. There are other recoveries."""
_ON_A_COPY = ("action", "part", "item", "acting-read")


def brings_back(operation: Operation, effects: Effects) -> bool:
    """Whether an operation puts what a copy holds in the place of what is not the run's own."""
    route, effect, path = operation.route, effects.of(operation), effects.routes.path(operation.key)
    if route.method == "DELETE":
        return False
    last = last_segment(path.literals[-1])
    if effect.kind == "creation":
        return not effect.parents and not _RESTORATIONS.isdisjoint(singular_words(last))
    count = len(path.names)
    if effect.kind not in _ON_A_COPY or not count:
        return False
    thing = singular_words(last_segment(path.head(count).collection.literals[-1]))
    if _COPIES.isdisjoint(thing[-1:]):
        return False
    # What lies in a thing of the run's own is a copy of that.
    return _says_so(operation, last) and not parents_above(operation.tool, path, count - 1, effects.routes)


def _says_so(operation: Operation, last: str) -> bool:
    """Whether the end of a path, the operationId or the first words of the summary speak of bringing back."""
    for text in (last, operation.operation_id, " ".join(operation.summary.split()[:2])):
        said = [form for word in words(text) for form in base_forms(word)]
        if not _BRINGING_BACK.isdisjoint(said) or ("roll", "back") in pairwise(said):
            return True
    return False
