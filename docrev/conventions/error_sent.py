"""What was sent settles what an error message leaves open.

Whether a word in it is a name or a value, whether a bound is of characters or of items, which side of it is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from docrev.conventions.error_claims import VALUE_KINDS, Hint
from docrev.conventions.error_constraints import DEMAND
from docrev.conventions.error_mentions import SHAPED, mentioned
from docrev.conventions.error_subjects import is_name
from docrev.conventions.hint_values import value_for
from docrev.conventions.sent_values import Sent
from docrev.grouping import only
from docrev.json_values.containers import sequence
from docrev.json_values.pointer import join, last, parent, split
from docrev.json_values.scalars import is_number
from docrev.language.words import has_word, words
from docrev.records import Json

_ON_VALUES = VALUE_KINDS | {"invalid", "exists"}
_WHOLE_WORD = 4
"""Letters of a name that may be half of another one."""
_EMPTY = re.compile(r"\b(?:blank|empty|something|filled)\b", re.I)
_STATED = re.compile(r"\b(?:max|min|limit|at (?:most|least)|the (?:most|least)\b)", re.I)
"""What tells the side of a bound."""
_UNKNOWN = (
    r"\b(?:unknown|unrecogni[sz]ed|unsupported|undefined"
    r"|invalid (?=(?:\w+ )?(?:attribute|field|parameter|property|key|argument|option|column|member|filter)s?\b))"
)
_CAUSES = re.compile(r"^(?:[a-z][^:\"'`\n.|]*: ){3,}(?=\S)")
_ONE = re.compile(r"(?<![\w./\-])1(?!\.?\w|[/\-]\w)")
_ASKING = re.compile(
    r"\b(?:must|should|ha(?:s|ve) to|needs?|requires?|provide|supply|supplied|given?|specify|enter|tell|choose)\b", re.I
)
"""What a text says that asks for a value."""
_OF_ITEMS = re.compile(r"^(?:list|array|set|tuple)\b|\b\d+ (?:items?|elements?)\b", re.I)
_AMOUNTS = {"min-length": "minimum", "max-length": "maximum", "min-items": "minimum", "max-items": "maximum"}
_OPPOSITES = {
    "minimum": "exclusive-maximum",
    "maximum": "exclusive-minimum",
    "exclusive-minimum": "maximum",
    "exclusive-maximum": "minimum",
}
_TYPES: dict[type, str] = {str: "string", list: "array", dict: "object"}
_SIZES = {"min-length": "min-items", "max-length": "max-items", "minimum": "min-items", "maximum": "max-items"}


def placed(hints: Iterable[Hint], sent: Sent, *, told: bool, around: str = "") -> list[Hint]:
    """The hints of one message, each on the sent name that its text means; `told` if the response locates the message.

    A value that was refused was sent: what has no sent name is no name.
    """
    found = (
        _sure_of_thing(_named(hint, sent, told=told, around=around), sent) if sent.names else hint for hint in hints
    )
    refused = (hint if hint.kind != "invalid" or _is_on_sent(hint, sent) else _lacking(hint, told) for hint in found)
    return [hint for hint in refused if hint is not None]


def _lacking(hint: Hint, told: bool) -> Hint | None:
    """A refusal of a value that was not sent: where the response tells the place and asks for it, or calls it by its
    name, the value is missing."""
    named = re.search(rf"[\"'`]{re.escape(hint.name)}[\"'`]", hint.text) if hint.name else None
    asked = told and not hint.place and not hint.name.startswith("_") and (named or _ASKING.search(hint.text))
    return replace(hint, kind="required") if asked else None


def _sure_of_thing(hint: Hint, sent: Sent) -> Hint:
    """A thing that was not found, by its noun if that is a word and by its id if that was sent; else without them."""
    if hint.kind != "not-found" or not hint.values:
        return hint
    noun, *ids = hint.values
    sure = len(noun.split()) <= 1 + len(ids) and all(sent.shows(id) for id in ids)
    return hint if sure else replace(hint, values=())


def _is_on_sent(hint: Hint, sent: Sent) -> bool:
    """Whether the value that a hint refuses was sent, or is named nowhere."""
    keys = split(hint.pointer)
    return (
        not (keys and sent.names)
        or hint.place in ("path", "header", "cookie")
        or any(tuple(words(key)) in sent.names for key in keys)
    )


def settled(hints: Sequence[Hint], sent: Sent) -> list[Hint]:
    """The hints with what the sent names and values tell of them."""
    if not sent.names:
        return list(hints)
    found = [_sized(_counted(hint, sent), sent) for hint in _from_the_root(hints, sent)]
    bounded = {hint.pointer for hint in found if hint.kind in ("min-length", "min-items")}
    found = [hint if hint.pointer in bounded else _filled(hint, sent) for hint in found]
    alone = [(hint.pointer, hint.text) for hint in found]
    found = [_turned(hint, sent) if alone.count((hint.pointer, hint.text)) == 1 else hint for hint in found]
    return list(_without_what_was_kept(found, sent))


def counts_one_of_nothing(hint: Hint) -> bool:
    """Whether a hint is that there must be one, without a word that is known of what."""
    return not hint.name and hint.kind == "minimum" and hint.values == ("1",) and not _ONE.search(hint.text)


def _from_the_root(hints: Sequence[Hint], sent: Sent) -> list[Hint]:
    """The hints without the keys of the response that lead to the names that were sent: `/erros/name` is on `/name`."""
    roots = {"", *(hint.pointer[: -len(inner)] for hint in hints if (inner := _inner(hint, sent)))}
    outer = sorted(roots, key=len, reverse=True)
    return [
        replace(hint, pointer=hint.pointer.removeprefix(next(filter(hint.pointer.startswith, outer)))) for hint in hints
    ]


def _inner(hint: Hint, sent: Sent) -> str:
    """The part of a pointer that begins with a name at the root of what was sent, if it begins with another; or ""."""
    keys = split(hint.pointer)
    if hint.place not in ("", "body") or not sent.top or len(keys) < 2 or tuple(words(keys[0])) in sent.names:
        return ""
    at = next((at for at, key in enumerate(keys) if key in sent.top or key.isdecimal()), 0)
    return join(*keys[at:]) if at and not keys[at].isdecimal() else ""


def _named(hint: Hint, sent: Sent, *, told: bool, around: str) -> Hint:
    """A hint on the sent name that its text means, and on none that is what was sent under another."""
    hint = _with_its_id(_spelled(hint, sent), sent)
    if (other := _sent_otherwise(hint, sent) or _on_member(hint, sent, told=told) or _lacked(hint, sent)) is not None:
        return other
    if hint.place or parent(hint.pointer) or not (hint.kind in _ON_VALUES or (hint.kind == "not-found" and hint.name)):
        return hint
    if name := _by_its_words(hint, sent, told=told):
        return hint if hint.name in sent.spelled else replace(hint, pointer=join(name))
    if hint.name and (told or _is_written_as_a_name(hint, sent)):
        return hint
    return replace(hint, pointer="") if hint.kind == "exists" else _on_mentioned(hint, sent, around)


def _by_its_words(hint: Hint, sent: Sent, *, told: bool) -> str:
    """The sent name with the words of a hint's; "Project is invalid" is on `project_id`."""
    parts = tuple(words(hint.name))
    id = sent.names.get((*parts, "id"), "") if hint.kind == "invalid" and parts else ""
    return sent.names.get(parts, id) or ("" if told else _compound(hint, sent))


def _compound(hint: Hint, sent: Sent) -> str:
    """The one sent name that is the end of a hint's, or ends with it: `mail` of "Email"; "" if there is none."""
    said = "".join(words(hint.name))
    written = {"".join(parts): name for parts, name in sent.names.items()}
    ends = [
        name
        for other, name in written.items()
        if min(len(said), len(other)) >= _WHOLE_WORD and (said.endswith(other) or other.endswith(said))
    ]
    return only(ends) or ""


def _spelled(hint: Hint, sent: Sent) -> Hint:
    """A hint on a sent name that has dots in it, or on what is unknown: "Unknown module: http" where that was sent."""
    if "." in (whole := ".".join(split(hint.pointer))) and whole in sent.spelled:
        return replace(hint, pointer=join(whole))
    unknown = hint.kind == "not-found" and len(hint.values) > 1 and re.search(_UNKNOWN, hint.text, re.I)
    if unknown and hint.values[1] in sent.named_alone:
        # Of "Unknown virtual host" the value is unknown, and not the name.
        marked = re.search(rf"[^\w\s]\s*{re.escape(hint.values[1])}\b", hint.text)
        return replace(hint, kind="unknown" if marked else "invalid", pointer=join(hint.values[1]), values=())
    return hint


def _with_its_id(hint: Hint, sent: Sent) -> Hint:
    """What was not found, apart from its id, where that was sent: `Class user`."""
    if hint.kind != "not-found" or len(hint.values) != 1 or " " not in hint.values[0]:
        return hint
    noun, _, end = hint.values[0].rpartition(" ")
    return replace(hint, values=(noun, end)) if end in sent.texts else hint


def _sent_otherwise(hint: Hint, sent: Sent) -> Hint | None:
    """A hint whose name was not sent on what was: on a thing that was not found, or on a part of the body."""
    if hint.kind == "unknown" and hint.name in sent.texts and parent(hint.pointer):
        # Under a name, what is quoted may be its value.
        return replace(hint, kind="invalid", pointer=parent(hint.pointer))
    if tuple(words(hint.name)) in sent.names:
        return None
    if hint.kind == "unknown" and not hint.place and (holder := sent.holder_of(hint.name)):
        # What is called by its name in a value is unknown: "no such column: age" where `sort` is `age`.
        return replace(hint, kind="invalid", pointer=join(holder))
    name = ""
    if hint.kind == "required" and (rest := _after_its_name(hint)):
        # `server: key is not given` may begin with what says so.
        name = mentioned(rest, sent.names, sent.texts)
    elif hint.kind == "not-found" and hint.values:
        name, hint = sent.outside_path.get(tuple(words(hint.values[0])), ""), replace(hint, values=hint.values[1:])
    elif _is_on_top_member(hint):
        # Some frameworks call the body by a name of their own.
        name = mentioned(hint.text, sent.names, sent.texts)
    else:
        # What an application reads itself, it may call otherwise.
        name = sent.holder_of_input(hint.text)
    return replace(hint, pointer=join(name)) if name else None


def _is_on_top_member(hint: Hint) -> bool:
    return hint.place == "body" and hint.kind in VALUE_KINDS and len(split(hint.pointer)) == 1


def _after_its_name(hint: Hint) -> str:
    """What the text of a hint says after `NAME: `; "" if it does not begin so, or tells the place."""
    begins = bool(hint.name) and not hint.place and hint.text.startswith(f"{hint.name}: ")
    return hint.text.removeprefix(f"{hint.name}: ") if begins else ""


def _on_mentioned(hint: Hint, sent: Sent, around: str) -> Hint:
    """A hint on the sent name that its text mentions, or else the text around it; on none if there is none."""
    # Of causes in causes, the innermost says what is wrong: `loading config: http: time: invalid duration`.
    name = mentioned(_CAUSES.sub("", hint.text), sent.names, sent.texts)
    if not name and hint.kind != "invalid" and hint.name and re.match(rf"{re.escape(hint.name)} \w", hint.text):
        # A validator tells of what was not sent what it would have to be.
        return hint
    name = name or sent.file_meant(hint.text) or ("" if hint.name else mentioned(around, sent.names, sent.texts))
    if hint.kind == "invalid":
        hint, name = _refused(hint, name or sent.holder_meant(hint.text), sent)
    return replace(hint, pointer=join(name, *_item_repeated(hint, name, sent)) if name else "")


def _refused(hint: Hint, name: str, sent: Sent) -> tuple[Hint, str]:
    """A refusal, or that its name is unknown, where the text ends with a name that was sent."""
    ends = name not in sent.texts and re.search(
        rf"{_UNKNOWN} (?:\w+ )*\w*\W*[^\w\s]\W*{re.escape(name)}\W*$", hint.text, re.I
    )
    return (replace(hint, kind="unknown") if ends else hint), name


def _on_member(hint: Hint, sent: Sent, *, told: bool) -> Hint | None:
    """A hint on the member that its text calls by what has it, or of the object under its name whose value the text
    repeats; None if there is none."""
    if hint.kind in _ON_VALUES and len(split(hint.pointer)) == 1 and (at := sent.member_meant(hint.name, hint.text)):
        return replace(hint, pointer=at)
    value = sent.value_of(hint)
    if told or hint.kind not in VALUE_KINDS or not isinstance(value, dict):
        return None
    text = hint.text.replace(str(value), "")
    repeated = [name for name, one in value.items() if isinstance(one, str | int | float) and has_word(text, str(one))]
    return replace(hint, pointer=join(*repeated)) if len(repeated) == 1 else None


def _lacked(hint: Hint, sent: Sent) -> Hint | None:
    """What an object that was sent lacks, by the one name that a text quotes or has in front: `loan: member is …`."""
    value = sent.value_of(hint) if hint.kind == "required" else None
    if not isinstance(value, dict) or not value:
        return None
    text = hint.text.removeprefix(f"{hint.name}: ")
    begins = re.findall(r"^(\w+) is ", text) if text != hint.text else []
    said = {*begins, *re.findall(r"[\"'`](\w+)[\"'`] (?:is|was) (?:required|missing|not)\b", text)}
    names = [name for name in said - {hint.name, *value} if is_name(name, quoted=True)]
    return replace(hint, pointer=f"{hint.pointer}{join(*names)}") if len(names) == 1 else None


def _item_repeated(hint: Hint, name: str, sent: Sent) -> tuple[str, ...]:
    """The index of the item of an array that a text repeats, as its key; nothing if there is none."""
    value = sent.value_of(replace(hint, pointer=join(name)))
    items = enumerate(sequence(value))
    told = (at for at, item in items if isinstance(item, str) and len(item) > 1 and has_word(hint.text, item))
    return next(((str(at),) for at in told), ())


def _is_written_as_a_name(hint: Hint, sent: Sent) -> bool:
    """Whether a name that was not sent is one by how it is written, as that of a part of the path may be, or a flag."""
    if hint.kind == "allowed-values" and hint.values == ("true",):
        return True
    quoted = re.search(
        rf"[\"'`\[$/]{re.escape(hint.name)}[\"'`\]]|\bat {re.escape(hint.name)}$",
        hint.text,
        re.M,
    )
    return bool(quoted or (SHAPED.search(hint.name) and has_word(hint.text, hint.name))) and hint.name not in sent.texts


def _without_what_was_kept(hints: Sequence[Hint], sent: Sent) -> Iterator[Hint]:
    """The hints without the types that what was sent has, where the message asks for nothing else in that place."""
    kept = [_is_kept(hint, sent) for hint in hints]
    broken = {(hint.pointer, hint.text) for hint, is_kept in zip(hints, kept, strict=True) if not is_kept}
    for hint, is_kept in zip(hints, kept, strict=True):
        if not is_kept or (hint.pointer, hint.text) in broken:
            yield hint
        elif hint.pointer not in {pointer for pointer, _ in broken}:
            filled = _filled(replace(hint, kind="required"), sent)
            yield filled if filled.kind != "required" else replace(hint, kind="invalid", values=())


def _is_kept(hint: Hint, sent: Sent) -> bool:
    """Whether a hint wants the type that the sent value has.

    A refused number or an allowed value that is refused tells of an API that lies, which has to be seen.
    """
    value = sent.value_of(hint)
    kept = _TYPES.get(type(value), "") in hint.values
    return hint.kind == "type" and kept and not last(hint.pointer).isdecimal()


def _counted(hint: Hint, sent: Sent) -> Hint:
    """A bound of how many there may be as one of a number, where no list was sent: `Maximum entries must be …`."""
    of_items = hint.kind in ("min-items", "max-items") and not hint.name
    return replace(hint, kind=_AMOUNTS[hint.kind]) if of_items and sent.has_numbers_alone else hint


def _sized(hint: Hint, sent: Sent) -> Hint:
    """A bound of the items of an array, or that they differ."""
    if hint.kind == "exists" and last(hint.pointer).isdecimal():
        return replace(hint, kind="unique-items", pointer=parent(hint.pointer))
    value = sent.value_of(hint)
    if isinstance(value, str) and hint.kind in ("min-items", "max-items") and not _OF_ITEMS.search(hint.text):
        return replace(hint, kind=hint.kind.replace("items", "length"))
    if is_number(value) and hint.kind in _AMOUNTS and "character" not in hint.text:
        return replace(hint, kind=_AMOUNTS[hint.kind])
    bound = _SIZES.get(hint.kind) if isinstance(value, list | dict) and not last(hint.pointer).isdecimal() else None
    return replace(hint, kind=bound) if bound else hint


def _filled(hint: Hint, sent: Sent) -> Hint:
    """That something must be in the empty value that was sent."""
    value = sent.value_of(hint)
    if hint.kind != "required" or value not in ("", []) or not _EMPTY.search(hint.text):
        return hint
    return replace(hint, kind="min-items" if value == [] else "min-length", values=("1",))


def _opposed(hint: Hint, value: Json) -> Hint:
    """A bound that the sent number keeps, in a text that demands nothing, as the other one: "age under 18"."""
    is_complaint = not (DEMAND.search(hint.text) or _STATED.search(hint.text)) and value_for([hint], value) == value
    return replace(hint, kind=_OPPOSITES[hint.kind]) if is_complaint else hint


def _turned(hint: Hint, sent: Sent) -> Hint:
    """A bound that what was sent keeps, in a text that demands nothing: it says what was sent, and means the other."""
    bound = re.fullmatch(r"(min|max)-(length|items)", hint.kind)
    value = sent.value_of(hint)
    if hint.kind in _OPPOSITES and is_number(value):
        return _opposed(hint, value)
    if bound is None or not isinstance(value, str | list) or DEMAND.search(hint.text) or _STATED.search(hint.text):
        return hint
    limit, lower = int(hint.values[0]), bound.group(1) == "min"
    if len(value) < limit if lower else len(value) > limit:
        return hint
    other = "max" if lower else "min"
    return replace(hint, kind=f"{other}-{bound.group(2)}", values=(str(limit - 1 if lower else limit + 1),))
