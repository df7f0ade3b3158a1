"""Which query parameters of a GET would change something: those that name a command, a verb, or a state to be set."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from docrev.conventions.parameters import Role, Shape, Typed, role_of
from docrev.language.verbs import ACTING, AMBIGUOUS, COMMANDING, base_forms, reads_by_name
from docrev.language.words import word_set, words
from docrev.records import Json

_COMMANDS = word_set("act action actions cmd command do op operation set verb")
"""Names of parameters whose value says what is to be done."""
_ENDINGS = word_set("action cmd command")
"""Last words of names of such parameters: `bulk_action`."""
_BEGINNINGS = (ACTING | {"mark", "set"}) - {"accept", "add", "apply", "clear", "disable", "enable", "remove"}
"""Verbs with which names of several words begin that say what to do; `disable_html` and `add_links` shape an answer."""
_OPTIONS = word_set("exclude expand has hide include no not only return show skip where with without")
"""First words of parameters that choose what an answer contains: `include_deleted`."""
_SHOWN_AS = word_set(
    """
    abbreviated advanced aggregated anonymized based cached combined compacted compressed computed condensed
    converted decoded detailed embedded encoded escaped expanded extended filtered flattened formatted grouped
    indented inlined joined limited linked localized merged minified named nested normalized ordered paged
    paginated parsed prettified qualified recommended related rendered required resolved rounded shortened
    signed simplified sorted speed stripped summarized transformed translated trimmed truncated typed unified
    used wrapped
    """
)
"""Participles that say how an answer is shown."""
_IRREGULAR = word_set("done frozen hidden paid read seen sent shut")
_OF_ANSWERS = word_set(
    """
    display displays exclude excludes filter filtered filtering filters include included includes limit limits
    list lists obtain obtains only response restrict restricted restricts result results retrieve return
    returned returns select selects show shown shows
    """
)
"""Words of a description that speaks of what an answer contains."""
_UNTYPED = Typed()


def commands(name: str, shape: Shape | None = None, description: str = "") -> bool:
    """Whether a parameter says by a verb what is to be done: `action=`, `mark_read=`, `sync=true`, `state=pause`.

    One that is described as a choice of what is shown (of an audit log by `action`) does not.
    """
    shape = shape or _UNTYPED
    return _commands(name, Typed(shape.type, shape.format, tuple(map(str, shape.enum or ()))), description)


@lru_cache(maxsize=4096)
def _commands(name: str, shape: Typed, description: str) -> bool:
    parts = _own_words(name)
    if _shapes_answers(parts, name, shape, description):
        return False
    if parts[-1] in _COMMANDS and shape.type not in ("integer", "number"):
        return len(parts) == 1 or parts[-1] in _ENDINGS
    if len(parts) > 1:
        return parts[0] in _BEGINNINGS
    return parts[0] in ACTING or (parts[0] in COMMANDING and _is_choice(shape)) or _names_verbs(shape.enum)


def sets_state(name: str, shape: Shape | None = None, description: str = "") -> bool:
    """Whether a parameter may set a state of the item that it is sent to: `muted=`, `is_archived=`, `enable_x=`."""
    shape, parts = shape or _UNTYPED, _own_words(name)
    if parts[:1] in (("is",), ("as",)):
        parts = parts[1:]
    if _shapes_answers(parts, name, shape, description):
        return False
    if parts[0] in ACTING:
        return True
    participle = len(parts) == 1 and (parts[0].endswith("ed") or parts[0] in _IRREGULAR)
    if not participle or parts[0] in _SHOWN_AS or shape.type in ("integer", "number"):
        return False
    return _is_choice(shape) or bool(_verbs_of(parts[0]))


def only_asks(value: object) -> bool:
    """Whether the value of a command says that it only reads: `action=query`."""
    return isinstance(value, str) and reads_by_name(value)


def _own_words(name: str) -> tuple[str, ...]:
    """The words of a name without those of what it is in: `order.state`, `user[name]`."""
    return words(re.split(r"[.\[]", name.rstrip("]"))[-1])


def _shapes_answers(parts: Sequence[str], name: str, shape: Shape, description: str) -> bool:
    """Whether a parameter is known, by convention or by what is written about it, to choose what is shown."""
    if not parts or parts[0] in _OPTIONS or role_of(name, shape) not in (Role.OTHER, Role.NAME, Role.FILTER):
        return True
    found = words(description)
    acts = any(form in ACTING for word in found[:8] for form in base_forms(word))
    return not acts and not _OF_ANSWERS.isdisjoint(found)


def _is_choice(shape: Shape) -> bool:
    return shape.type in (None, "boolean") or bool(shape.enum)


def _names_verbs(values: Sequence[Json] | None) -> bool:
    """Whether the allowed values are verbs (`pause`, `resume`), or a state and its undoing (`muted`, `unmuted`)."""
    firsts = [found[0] if (found := words(str(value))) else "" for value in values or ()]
    if any(f"un{first}" in firsts for first in firsts if first):
        return True
    return not ACTING.isdisjoint(firsts) and all(first in ACTING or first in AMBIGUOUS for first in firsts)


def _verbs_of(participle: str) -> frozenset[str]:
    """The verbs whose participle a word may be: `muted` of `mute`, `paused` of `pause`, `locked` of `lock`."""
    stem = participle.removesuffix("ed")
    forms = {stem, stem + "e", stem[:-1], stem[:-1] + "y" if stem.endswith("i") else stem}
    return frozenset(forms & (ACTING | AMBIGUOUS))
