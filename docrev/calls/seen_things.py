"""What answers showed to be there: the things of others, by their paths and ids, and what may refer to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

from docrev.calls.path_texts import last_segment, noun_of, plain
from docrev.calls.seen_codes import SeenCodes
from docrev.conventions.ids import identifying_members, is_drawn, is_id_name, known_by, label_of
from docrev.conventions.run_names import is_made_up
from docrev.json_values.leaves import members
from docrev.json_values.pointer import last, parent
from docrev.language.urls import split_url
from docrev.language.words import singular, word_set, words
from docrev.records import Json

_UNIQUE = 20
"""Characters from which an id is nothing else's: UUIDs, ULIDs and ids of object stores are longer."""
_LONG = 12
"""A text of so many characters that is the id of something refers to it, whatever the member is called."""


_ANY_ID = frozenset({"id", "ids", "uuid", "uuids", "key", "guid", "guids", "pk", "pks"})
"""Words of members that are the id of something, and do not say of what."""

_OTHER = word_set("after before destination from into onto origin other parent replacement source target to with")
"""Words of members by which an action on a thing names another thing of the same kind: `{"into": 3}`."""
_ABOVE = word_set("parent parents")
"""Words of members by which a thing names the one of the same kind that it lies in: `{"parent": 3}`."""


class Alike(NamedTuple):
    """A kind of thing, and the words of members by which a body names another thing of that kind."""

    kind: str = ""
    words: frozenset[str] = frozenset()

    @classmethod
    def beside(cls, kind: str) -> Alike:
        """What an action on a thing may be told besides."""
        return cls(kind, _OTHER)

    @classmethod
    def above(cls, kind: str) -> Alike:
        """What a thing that is created or changed may lie in."""
        return cls(kind, _ABOVE)

    def names(self, member: str, kind: str) -> bool:
        """Whether a member means another thing, if that is of a kind."""
        said = {*words(member)} - _ANY_ID
        return kind == self.kind != "" and bool(said) and said <= self.words


_NONE = Alike()


@dataclass(frozen=True, slots=True)
class Reference:
    """A value in a request that is the id of something that exists. `place` is (tool, path); `listed`: in a list.

    `is_code`: it is no ID, but a code that belongs to what exists.
    """

    name: str
    value: str
    place: tuple[str, str]
    listed: bool
    is_code: bool = False

    @property
    def noun(self) -> str:
        """What it refers to: `user` for `/users/19`."""
        return noun_of(self.place[1].rpartition("/")[0])


class SeenThings:
    """Paths of things that answers showed, by tool.

    `is_own` says whether the run created what has a path, `has_own` whether it still has it: an ID of what it deleted
    may be given to somebody else. `kind_of` says after what kind of thing a member is called, "" for none.
    """

    def __init__(
        self,
        is_own: Callable[[str, str], bool],
        has_own: Callable[[str, str], bool],
        kind_of: Callable[[str, str], str],
    ) -> None:
        self._is_own, self._has_own, self._kind_of = is_own, has_own, kind_of
        self.codes = SeenCodes(is_own)
        self._places: set[tuple[str, str]] = set()
        self._listed: set[tuple[str, str]] = set()
        self._by_id: dict[tuple[str, str], dict[str, None]] = {}
        self._words: set[tuple[str, str]] = set()
        # The paths of what was shown under a name, by tool, kind and name.
        self._names: dict[tuple[str, str, str], set[str]] = {}
        # Whether any thing of a kind was shown that is known by a number, by tool and kind.
        self._numbered: dict[tuple[str, str], bool] = {}
        # The members that say something else than the ID of a thing which was looked at, by tool and kind.
        self._apart: set[tuple[str, str, str]] = set()
        # What the run's own things were last shown to be called, by tool and path.
        self._own_names: dict[tuple[str, str], dict[str, Json]] = {}

    def see(self, tool: str, collection: str, value: object, thing: object = None, *, listed: bool = True) -> None:
        """An answer showed that the collection at a path contains a thing with an id: in a list, or alone."""
        if value is None or isinstance(value, dict | list):
            return
        id = plain(value)
        path = f"{collection.rstrip('/')}/{id}"
        if listed:
            self._listed.add((tool, path))
        if (tool, path) not in self._places:
            self._places.add((tool, path))
            self._by_id.setdefault((tool, id), {})[path] = None
        kind, called = noun_of(collection), identifying_members(thing)
        if not listed and not id.isdecimal():
            # A thing that is found by its number may be found by its name, too: that says nothing of either.
            self._apart.update((tool, kind, name) for name, text in called if not _may_come_from(value, text))
        if called and is_made_up(value):
            self._own_names[tool, path] = dict(called)
        self._see_names(tool, kind, path, id, [plain(name) for _, name in called])

    def _see_names(self, tool: str, kind: str, path: str, id: str, names: Sequence[str]) -> None:
        """Remember what a thing is called, and whether one of its kind is known by a number."""
        for name in names:
            self._names.setdefault((tool, kind, name), set()).add(path)
        if not self._numbered.get((tool, kind)):
            self._numbered[tool, kind] = any(name.isdecimal() for name in (id, *names))

    def make(self, tool: str, path: str) -> None:
        """The run made what has a path: its ID means that thing, though no answer may have shown it there, if nothing
        else can have such an ID."""
        id = unquote(last_segment(path))
        if is_unique_id(id):
            self._by_id.setdefault((tool, id), {})[_decoded(path)] = None

    def move(self, tool: str, old: str, new: str) -> None:
        """A thing of the run's own has another path: its numbers and names are those of what is there now."""
        for (owner, _, _), paths in self._names.items():
            if owner == tool and old in paths:
                paths.remove(old)
                paths.add(new)

    def see_words(self, tool: str, body: Json) -> None:
        """An answer listed, by their names, things of a kind that no path has: the names are a vocabulary."""
        for pointer, part in members(body):
            kind = last(parent(pointer))
            if kind and not self._kind_of(tool, kind) and last(pointer) in known_by(part) | {label_of(part)}:
                self._words.add((tool, last(pointer)))

    def is_word(self, tool: str, value: object) -> bool:
        """Whether a value is one of a vocabulary: a thing that is called so has it from there."""
        return (tool, plain(value)) in self._words

    def is_name(self, tool: str, collection: str, value: object) -> bool:
        """Whether a value is what one thing is called that the run did not create, of the kind that a collection has.

        What several things of others have in common identifies none of them.
        """
        return self._called(tool, noun_of(collection), value) is not None

    def called(self, tool: str, collection: str, name: str) -> set[str]:
        """The paths of what was shown under a name, of the kind that a collection has, whosever it is."""
        return self._names.get((tool, noun_of(collection), name), set())

    def may_be_id(self, tool: str, collection: str, member: str) -> bool:
        """Whether the ID of what a collection has may be made of a member: no look at one thing showed another text."""
        return (tool, noun_of(collection), member) not in self._apart

    def own_name(self, tool: str, path: str, member: str) -> Json:
        """What a member of the run's own thing at a path was last shown to be; its ID, if none was shown."""
        return self._own_names.get((tool, _decoded(path)), {}).get(member, unquote(last_segment(path)))

    def is_seen_name(self, tool: str, collection: str, value: object) -> bool:
        """Whether something of the kind that a collection has was shown under a name, whosever it is."""
        return (tool, noun_of(collection), plain(value)) in self._names

    def saw(self, tool: str, path: str) -> bool:
        """Whether an answer showed something at a path that the run did not create."""
        return (tool, _decoded(path)) in self._places and not self._is_own(tool, path)

    def saw_in(self, tool: str, collection: str) -> bool:
        """Whether an answer showed something that the run did not create directly in the collection at a path."""
        return any(
            at == tool and path.rpartition("/")[0] == collection and self.saw(at, path) for at, path in self._places
        )

    def others_have(self, tool: str, id: str) -> bool:
        """Whether something that the run did not create was shown under an ID."""
        return any(not self._is_own(tool, path) for path in self._by_id.get((tool, id), ()))

    def only_within(self, tool: str, path: str, parent: str) -> bool:
        """Whether an answer listed the thing at a path in `parent`, and none showed its kind and id anywhere else.

        That it was returned there alone says little: many APIs find a thing by its id, whatever stands before it.
        """
        collection, _, value = _decoded(path).rpartition("/")
        kind = collection.rpartition("/")[2]
        paths = [found for found in self._by_id.get((tool, value), ()) if found.split("/")[-2:-1] == [kind]]
        is_listed = any((tool, found) in self._listed for found in paths)
        return is_listed and all(found.startswith(_decoded(parent) + "/") for found in paths)

    def references(self, tool: str, body: object, alike: Alike = _NONE) -> Iterator[Reference]:
        """The values in a body that are ids, or codes, of what the run did not create, be it shown or not."""
        for around, member, value, listed in _scalars(body, ("", ""), False):
            if value == "" or is_made_up(value):
                continue
            inside = f"{around}.{member}" if around else member
            # `id` in `domain` is that of a domain.
            name = inside if _ANY_ID.issuperset(words(member)) and self._kind_of(tool, inside) else member
            if (meant := self._meant(tool, name, value, alike)) is not None:
                yield Reference(name, plain(value), (tool, meant), listed)
            elif (holder := self.codes.holder(tool, value)) is not None:
                yield Reference(name, plain(value), (tool, holder), listed, is_code=True)

    def _meant(self, tool: str, name: str, value: object, alike: Alike) -> str | None:
        """The path of what a member with a value refers to; None if that is nothing, or the run's own."""
        if linked := self._linked(tool, value):
            return None if any(self._has_own(tool, path) for path in linked) else linked[0]
        return self._identified(tool, name, value, alike)

    def _identified(self, tool: str, name: str, value: object, alike: Alike) -> str | None:
        """The path of what a member with a value refers to by an ID or a name; None if that is nothing of others."""
        paths = list(self._by_id.get((tool, plain(value)), ()))
        foreign = [path for path in paths if not self._is_own_here(tool, path)]
        if len(foreign) < len(paths) and is_unique_id(plain(value)):
            # One thing under several paths: no two have such an ID.
            return None
        kind = {*words(self._kind_of(tool, name))}
        for path in foreign:
            noun = noun_of(path.rpartition("/")[0])
            # A `document_type_id` is no ID of a document.
            if _refers(name, value, noun, alike) and not {*words(noun)} < kind:
                return path
        return self._of_kind_called(tool, name, value, unseen=len(foreign) == len(paths))

    def _of_kind_called(self, tool: str, name: str, value: object, *, unseen: bool) -> str | None:
        """The path of what a member refers to by the kind that it is called after: of others, be it shown or not."""
        kind = self._kind_of(tool, name)
        if self._numbers_own(tool, kind, value):
            return None
        called = self._called(tool, kind, value)
        if called or not (is_id_name(name) or self._may_identify(tool, kind, value)):
            return called
        return f"/{kind}/{plain(value)}" if kind and unseen else None

    def _numbers_own(self, tool: str, kind: str, value: object) -> bool:
        """Whether all of a kind that was shown under a number is the run's own, whose path has a slug instead."""
        shown = self._names.get((tool, kind, plain(value)), ())
        return bool(shown) and all(self._is_named_by_run(tool, path) or self._is_own_here(tool, path) for path in shown)

    def _is_own_here(self, tool: str, path: str) -> bool:
        """Whether the run's own has a path, or was shown in its collection under the ID at its end: the number of what
        is at `/projects/mine` stands for the same thing there.
        """
        collection, _, id = _decoded(path).rpartition("/")
        beside = (at for at in self._names.get((tool, noun_of(collection), id), ()) if at.startswith(f"{collection}/"))
        return self._has_own(tool, path) or any(self._is_named_by_run(tool, at) for at in beside)

    def _is_named_by_run(self, tool: str, path: str) -> bool:
        """Whether a path is that of the run's own thing by a name that it made up: paths there have no numbers, of
        which a thing may have another one beside its ID.
        """
        return is_made_up(last_segment(path)) and self._has_own(tool, path)

    def _may_identify(self, tool: str, kind: str, value: object) -> bool:
        """Whether a value looks like an ID of a kind by itself: a number, unless all that was shown has other IDs."""
        return _may_be_id(value) and not (isinstance(value, int) and not self._numbered.get((tool, kind), True))

    def _linked(self, tool: str, value: object) -> list[str]:
        """The paths of the things that a value leads to or into, if it is a link to things that answers showed.

        Where the path of the API begins in a link is not known: the longest that leads to something counts.
        """
        parts = split_url(value).path.rstrip("/").split("/") if isinstance(value, str) and "/" in value else []
        for start in range(1, len(parts) - 1):
            paths = ["/" + "/".join(parts[start:end]) for end in range(start + 2, len(parts) + 1)]
            if there := [path for path in paths if (tool, _decoded(path)) in self._places or self._has_own(tool, path)]:
                return there
        return []

    def _called(self, tool: str, kind: str, value: object) -> str | None:
        """The path of the one thing of a kind that is called by a value and not the run's own; None without one."""
        paths = self._names.get((tool, kind, plain(value)), ())
        foreign = [path for path in paths if not self._has_own(tool, path)]
        return foreign[0] if len(foreign) == 1 and not self.is_word(tool, value) else None


def _refers(name: str, value: object, noun: str, alike: Alike) -> bool:
    """Whether a member with a value means the thing of a kind whose id the value is."""
    if (isinstance(value, str) and len(value) >= _LONG) or alike.names(name, noun):
        return True
    parts = {singular(word) for word in words(name)}
    of_kind = set(words(noun)) <= parts if noun else False
    return of_kind or (is_id_name(name) and parts <= _ANY_ID)


def _may_come_from(id: object, text: object) -> bool:
    """Whether an ID may be made of a text, as a slug is, which may be cut or have something behind it."""
    made, given = ("".join(words(plain(value))) for value in (id, text))
    return made.startswith(given) or given.startswith(made)


def is_unique_id(text: str) -> bool:
    """Whether no two things have such an ID: it is very long or drawn, or the run made it up."""
    return is_made_up(text) or (len(text) >= _UNIQUE and _may_be_id(text)) or is_drawn(text)


def _may_be_id(value: object) -> bool:
    """Whether a value looks like an id by itself: a number, or a long text with digits."""
    return isinstance(value, int) or (isinstance(value, str) and len(value) >= _LONG and any(map(str.isdigit, value)))


def _scalars(value: object, names: tuple[str, str], listed: bool) -> Iterator[tuple[str, str, Json, bool]]:
    """(name of the member around it, of the member, value, whether it stands in a list) of each scalar in a body."""
    if isinstance(value, dict):
        for inner, part in value.items():
            yield from _scalars(part, (names[1], inner), listed)
    elif isinstance(value, list):
        for part in value:
            yield from _scalars(part, names, True)
    elif value is not None and not isinstance(value, bool):
        yield *names, value, listed


def _decoded(path: str) -> str:
    """A path as `see` keeps it: with its last segment as it reads."""
    collection, _, last = path.rpartition("/")
    return f"{collection}/{unquote(last)}"
