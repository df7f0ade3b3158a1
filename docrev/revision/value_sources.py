"""Where the values of a parameter come from: the field of another operation's response, as a phrase."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from docrev.conventions.envelopes import ENVELOPES
from docrev.conventions.fields import FREE_TEXTS, NAMES
from docrev.conventions.ids import NAMING
from docrev.facts.kinds import comes_from
from docrev.language.documentation_phrases import PROVIDER, SOURCE
from docrev.language.path_subjects import subject
from docrev.language.path_templates import ends_in_parameter
from docrev.language.phrases import sentence
from docrev.language.verbs import READING
from docrev.language.words import article, singular, words
from docrev.records import Fact, OperationKey
from docrev.revision import labels
from docrev.spec.texts import is_restated

MOST_NAMES = 2
_FREE_TEXTS = FREE_TEXTS.difference(NAMES) | {"body"}
"""Names of fields that something may have the same value in by chance."""
_CAPTIONS = frozenset(["title", "label"])
"""Names of fields that people read; no ID is one, even where the API takes whatever it is sent."""
_NAME = re.compile(r"[\w.@$-]+")
_UUID = re.compile(r"\b[UG]UID(?:v\d)?\b", re.IGNORECASE)
"""A name for IDs of one form."""


class ValueSource(NamedTuple):
    """The response field that an argument at `location` of `user` takes its values from."""

    user: OperationKey
    location: str
    operation: OperationKey
    field: str
    """The location of the field: `200:/data/0/code`."""

    @property
    def name(self) -> str:
        return labels.field_name(self.field)

    def phrases(self, noun: str = "", text: str = "") -> Iterator[str]:
        """ "A country code, as in `code` of `GET /countries`."; then without the field, for want of room.

        `noun` is what the parameter identifies, if that is known; what it is needs not be said if its `text` does.
        """
        thing = self._thing(noun)
        is_said = is_restated(thing, _UUID.sub("ID", text))
        thing = sentence(f"{article(thing)} {thing}").rstrip(".")
        operation = self.operation.operation
        whole = SOURCE.write(label=thing, field=self.name, operation=operation)
        returned = "One is returned" if self._is_of_one else "Returned"
        texts = [f"{returned} as `{self.name}` by `{operation}`." if is_said else whole] if self.name else []
        for text in (*texts, PROVIDER.write(label=thing, operation=operation)):
            yield labels.with_tool(text, self.operation, self.user.tool)

    @property
    def _is_of_one(self) -> bool:
        """Whether the response is about one thing that the caller does not choose."""
        path = self.operation.path
        return self.operation.method == "GET" and "/0" not in self.field and "{" not in path

    def _thing(self, noun: str) -> str:
        """What the value is: an author ID, a country code, a timezone."""
        place, _, parameter = self.location.partition(":")
        if place == "path" and noun and (attribute := labels.without_noun(labels.label(parameter), noun)) != noun:
            return f"{noun} {attribute}"
        names = labels.steps(self.field)
        fields = [name for name in names if name != "0"] or [parameter]
        what = labels.label(" ".join(map(singular, words(fields[-1]))))
        # A list of codes, a parameter's own name and `country_code` say enough; `id` needs to say of what.
        if names[-1:] == ["0"] or fields[-1] == parameter or len(words(fields[-1])) > 1:
            return what
        owner = self._owner(names, words(labels.label(parameter))[:-1])
        return owner if f" {owner}".endswith(f" {what}") else f"{owner} {what}".strip()

    def _owner(self, names: Sequence[str], own: tuple[str, ...]) -> str:
        """What the field with these `names` is one of: the object that it is in, or what the operation returns.

        `own` is what the parameter calls it: that counts where the object or the list around the field says so too.
        """
        around = words(singular(next((name for name in reversed(names[:-1]) if name != "0"), "")))
        if own and around[-len(own) :] == own:
            return labels.label(" ".join(own))
        if names.count("0") > 1 and names[-2] == "0" != names[-3]:
            # What is in a list of a listed thing is none of these: `tracks[].artists[].id`.
            listed = labels.label(names[-3]).removesuffix(" list")
            return " ".join([*listed.split()[:-1], singular(listed.split()[-1])])
        inside = len(names) > 1 and names[-2] != "0" and names[-2] not in ENVELOPES
        noun = singular(names[-2]) if inside else subject(self.operation.path).noun
        # `/search-deep` names what is done, not a thing.
        return "" if {*words(noun)[:1]} & READING and " " in noun else noun


def best_source(sources: Iterable[ValueSource]) -> ValueSource | None:
    """The best of some sources: one of the same tool, that needs no ID itself and has the things themselves."""
    return min(
        sources,
        key=lambda source: (
            source.operation.tool != source.user.tool,
            source.operation.method != "GET" and not _is_listed(source),
            "{" in source.operation.path,
            _is_of_others(source),
            _depth_in_item(source),
        ),
        default=None,
    )


def _is_of_others(source: ValueSource) -> bool:
    """Whether a source only names things of this kind: a list of events has the projects that something happened to."""
    noun = _noun_of(source.user, source.location)
    names = [name for name in labels.steps(source.field)[:-1] if name != "0"]
    around = (subject(source.operation.path).noun, *names[-1:])
    return noun != () and not any(tuple(map(singular, words(name)))[-len(noun) :] == noun for name in around)


def _depth_in_item(source: ValueSource) -> int:
    """How deep in a listed item a field lies: a list of users has them themselves, one of entries has `user.id`."""
    names = list(labels.steps(source.field))
    return names[::-1].index("0") if "0" in names else len(names)


def _noun_of(key: OperationKey, location: str) -> tuple[str, ...]:
    """What an argument identifies: a project for `projectId`, for `id` what the path before it lists."""
    own = tuple(map(singular, words(labels.label(location.partition(":")[2]))))
    while own and own[-1] in NAMING:
        own = own[:-1]
    return own or tuple(map(singular, words(subject(collection_of(key, location)).noun)))


def _is_listed(source: ValueSource) -> bool:
    return "/0" in source.field


def collection_of(key: OperationKey, location: str) -> str:
    """The path of the list of what a path parameter identifies, without a slash at its end; "" of another argument."""
    place, _, name = location.partition(":")
    before, found, _ = key.path.partition("{" + name + "}")
    return before.rstrip("/") if place == "path" and found else ""


def find_sources(key: OperationKey, location: str, facts: Iterable[Fact]) -> list[ValueSource]:
    """The sources that the facts show; an operation's own response and what lies below a key that is data are none."""
    values = [
        comes_from.KIND.value_of(fact) for fact in facts if fact.kind == "comes-from" and fact.location == location
    ]
    sources = [ValueSource(key, location, operation_key(value.operation), value.field) for value in values]
    usable = [
        source for source in sources if source.operation != key and not _is_circular(source) and _is_telling(source)
    ]
    return [source for source in usable if all(map(_NAME.fullmatch, labels.steps(source.field)))]


def operation_key(text: str) -> OperationKey:
    """The key that is written as `TOOL METHOD /path`."""
    tool, _, operation = text.partition(" ")
    return OperationKey(tool, operation)


def _is_telling(source: ValueSource) -> bool:
    """Whether a field is made to be looked up: no free text, and nothing deep inside one thing."""
    names = [step for step in labels.steps(source.field) if step != "0"]
    is_deep = len(names) > MOST_NAMES and ends_in_parameter(source.operation.path)
    last_word = words(names[-1])[-1:] if names else ()
    is_caption = {*last_word} <= _CAPTIONS and words(source.location)[-1:] == ("id",)
    return not is_deep and names != [] and not is_caption and not _FREE_TEXTS.intersection(last_word)


def _is_circular(source: ValueSource) -> bool:
    """Whether a source is about one thing and must be given its ID, to find that of the same thing."""
    around, found, name = source.operation.path.rstrip("/").rpartition("/{")
    return bool(found) and name.endswith("}") and source.user.path.startswith(f"{around}/")
