"""Instruction files: requests with the operations that were offered and those that are relevant (ToolBench's format).

Read are ToolBench's own files (whole, as for inference, open-domain), StableToolBench's, AnyToolBench's with its
`gt_api_list`, MGToolBench's granularities and docrev's own, as a JSON list, an object by id, or JSON lines. What an
entry names and the specs do not have is dropped and counted; so is an entry of which nothing is left, or whose id was
there before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from docrev.errors import InputError
from docrev.eval.suites.reading import parse_json, read_lines
from docrev.prompts.training import LEVELS
from docrev.records import Json, OperationKey, Task
from docrev.storage.atomic import write_json
from docrev.storage.reading import read_text
from docrev.train.data.tool_listing import ToolListing

_FIX = "give a list of {query, query_id, api_list, relevant APIs}, as docrev generate instructions writes it"
_LEVEL_NAMES = {"desc": "statement", "cate": "category", "tag": "tool", "api": "operation", "ori": "hybrid"}
_TEXTS = ("new_instruction", "query", "instruction")
_NOUNS = {f"{noun}s": noun for noun in ("operation", "instruction", "sample")} | {"entries": "entry"}
_VERBS = {"are": "is", "have": "has", "were": "was", "name": "names", "need": "needs", "offer": "offers"}
Pair = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Instruction:
    """One request. `offered` are the operations that an agent is given (() for all), `relevant` those it needs.

    `group` is the part of the data it belongs to ("G1"), `level` its granularity if that is known; `wanted` are the
    fields of responses that an answer tells, if that is known (`THERE`: whether something is there).
    """

    id: str
    text: str
    offered: tuple[OperationKey, ...]
    relevant: tuple[OperationKey, ...]
    group: str = ""
    level: str = ""
    wanted: tuple[str, ...] = ()

    def task(self) -> Task:
        """The request as a task of a benchmark; the relevant operations are its gold path."""
        gold = (self.relevant,) if self.relevant else ()
        return Task(self.id, self.text, self.offered, gold, level=self.level, group=self.group)


@dataclass
class ReadInstructions:
    """What a file gave, with what was dropped, counted by reason."""

    instructions: list[Instruction] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)

    def warnings(self) -> list[str]:
        """One line for each reason."""
        return [counted(count, reason) for reason, count in sorted(self.dropped.items()) if count]


def counted(count: int, reason: str) -> str:
    """`2 entries have no text`, `1 entry has no text`."""
    if count != 1:
        return f"{count} {reason}"
    words = reason.split()
    for forms in (_NOUNS, _VERBS):
        at = next((at for at, word in enumerate(words) if word in forms), None)
        if at is not None:
            words[at] = forms[words[at]]
    return " ".join(["1", *words])


def write_instructions(file: Path, instructions: Iterable[Instruction], listing: ToolListing) -> None:
    """Write instructions in ToolBench's format. Raises LockedError, StoreError."""
    write_json(file, [to_json(one, listing) for one in instructions])


def to_json(one: Instruction, listing: ToolListing) -> dict[str, Json]:
    """An instruction as ToolBench's files have it; `wanted` is docrev's own, and only there if it is known."""
    id = one.id.removeprefix(f"{one.group}-").removesuffix(f"-{one.level}")
    entry: dict[str, Json] = {
        "api_list": [dict(listing[key].record) for key in one.offered],
        "query": one.text,
        "relevant APIs": [[listing[key].tool, listing[key].api] for key in one.relevant],
        "query_id": int(id) if id.isdecimal() else id,
    }
    return entry | ({"wanted": list(one.wanted)} if one.wanted else {})


def read_instructions(files: Sequence[Path], listing: ToolListing) -> ReadInstructions:
    """The instructions of files, with the operations of these specs.

    Raises InputError for a file that holds none, and where nothing is left of all of them.
    """
    found = ReadInstructions()
    reader = _InstructionReader(listing, found)
    for file in files:
        rows = list(_rows(file))
        if not rows:
            raise InputError("an empty list of instructions", where=str(file), fix=_FIX)
        reader.read(rows, file)
    if not found.instructions:
        why = f" ({'; '.join(found.warnings())})" if found.dropped else ""
        raise InputError(f"no instruction can be used{why}", where=str(files[0]), fix="give the specs that it is about")
    return found


def _rows(file: Path) -> Iterator[tuple[Json, str]]:
    text = read_text(file)
    if not text.strip():
        return
    if file.suffix == ".jsonl" or (text.lstrip()[:1] == "{" and "\n{" in text):
        yield from ((row, f"{file} entry {at}") for at, row in enumerate(read_lines(file), 1))
        return
    tree = parse_json(text, str(file))
    rows = _entries(tree) if isinstance(tree, dict) else tree
    if not isinstance(rows, list):
        raise InputError("is no list of instructions", where=str(file), fix=_FIX)
    yield from ((row, f"{file} entry {at}") for at, row in enumerate(rows, 1))


def _entries(tree: dict[str, object]) -> list[Json]:
    """An object as a list: it is one entry, or has entries by id."""
    if not tree.keys().isdisjoint(_TEXTS):
        return [tree]
    return [{"query_id": id, **row} if isinstance(row, dict) else row for id, row in tree.items()]


class _InstructionReader:
    def __init__(self, listing: ToolListing, found: ReadInstructions) -> None:
        self._listing, self._found = listing, found
        self._ids: set[str] = set()

    def read(self, rows: Sequence[tuple[object, str]], file: Path) -> None:
        group = file.stem if file.stem[:2] in ("G1", "G2", "G3") else ""
        for at, (row, where) in enumerate(rows, 1):
            if not isinstance(row, dict) or not any(isinstance(row.get(name), str) for name in _TEXTS):
                raise InputError("is no instruction", where=where, fix=_FIX)
            one = self._instruction(row, group, at, where)
            if one is not None:
                self._ids.add(one.id)
                self._found.instructions.append(one)

    def _instruction(self, row: dict[str, Json], group: str, at: int, where: str) -> Instruction | None:
        text = next(row[name] for name in _TEXTS if isinstance(row.get(name), str)).strip()
        level = str(row.get("type", row.get("level", "")))
        level = _LEVEL_NAMES.get(level, level)
        id = _named(row.get("query_id", row.get("id", at)), level, group)
        listed = _pairs(row, "api_list")
        if not isinstance(row.get("api_list", []), list):
            raise InputError("its api_list is no list", where=where, fix=_FIX)
        offered, unknown = self._keys(listed)
        relevant, missing = self._keys(_placed(_pairs(row, "relevant APIs", "gt_api_list", "path"), listed))
        dropped = self._found.dropped
        dropped["operations are not in the specs"] += unknown + missing
        if not text:
            dropped["entries have no text"] += 1
        elif id in self._ids:
            dropped["entries have an id that was there before"] += 1
        elif (unknown and not offered) or (missing and not relevant):
            dropped["entries are about no operation of the specs"] += 1
        else:
            both = tuple(dict.fromkeys((*offered, *relevant))) if offered else ()
            dropped["relevant operations were not offered"] += len(both) - len(offered)
            level = level if level in LEVELS else ""
            return Instruction(id, " ".join(text.split()), both, relevant, group, level, _wanted(row))
        return None

    def _keys(self, pairs: Iterable[Pair]) -> tuple[tuple[OperationKey, ...], int]:
        """The operations, each once, and how many there are not."""
        keys = [self._listing.key(*pair) for pair in pairs]
        return tuple(dict.fromkeys(key for key in keys if key is not None)), sum(key is None for key in keys)


def _wanted(row: dict[str, object]) -> tuple[str, ...]:
    names = row.get("wanted")
    return tuple(one for one in names if isinstance(one, str)) if isinstance(names, list) else ()


def _named(id: object, level: str, group: str) -> str:
    """The id of a task: that of the file, with what else tells entries apart."""
    return "-".join(part for part in (group, str(id), level if level in LEVELS else "") if part)


def _pairs(row: dict[str, Json], *names: str) -> list[Pair]:
    """Category, tool and API of a list, however an entry spells them."""
    listed: list[Json] = next((row[name] for name in names if isinstance(row.get(name), list)), [])
    pairs: list[Pair] = []
    for one in listed:
        if isinstance(one, dict) and "api_name" in one:
            pairs.append((str(one.get("category_name", "")), str(one.get("tool_name", "")), str(one["api_name"])))
        elif isinstance(one, list) and len(one) in (2, 3):
            pairs.append((str(one[0]) if len(one) == 3 else "", str(one[-2]), str(one[-1])))
        else:
            pairs.append(("", "", str(one)))
    return pairs


def _placed(pairs: Sequence[Pair], listed: Sequence[Pair]) -> list[Pair]:
    """With the categories that the entry's own list has for them: two tools of one name may be in two."""
    whole = {pair[1:]: pair for pair in reversed(listed)}
    return [pair if pair[0] else whole.get(pair[1:], pair) for pair in pairs]
