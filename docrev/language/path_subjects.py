"""What a path is about: `/countries/{code}/cities` is about the cities of a country. By rule and small tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from docrev.language.path_templates import FORMAT
from docrev.language.phrases import humanise
from docrev.language.words import article, plural, singular

_ACTIONS = {
    "search": "Searches",
    "find": "Finds",
    "lookup": "Looks up",
    "discover": "Finds",
    "convert": "Converts",
    "compare": "Compares",
    "count": "Counts",
    "validate": "Validates",
    "estimate": "Estimates",
    "calculate": "Calculates",
    "resolve": "Resolves",
    "translate": "Translates",
    "parse": "Parses",
    "merge": "Merges",
    "export": "Exports",
    "import": "Imports",
    "archive": "Archives",
    "cancel": "Cancels",
    "activate": "Activates",
    "publish": "Publishes",
}
_KINDS = (
    "nearest, nearby, popular, latest, upcoming, random, recent, similar, top, trending, new, featured, top rated, "
    "now playing, airing today, recommended, related"
)
_WHICH = frozenset(_KINDS.split(", "))
_RELATIONS = frozenset("at by for from in near of on under with without".split())
"""What begins a selection: `/products/in-stock` are products."""
_CONTAINERS = frozenset(
    ("reports", "report", "stats", "statistics", "feeds", "feed", "charts", "chart", "rankings", "ranking", "metrics")
)
STORES = frozenset(
    "store storage cache registry config configuration metadata env".split()
    + "backlog catalog catalogue history inbox inventory timeline".split()
)
"""What holds things under keys: `/config/{key}` is an entry of it."""
LIST_WORDS = ("list", "all", "index", "paginated", "json")
"""What a list of all that is in a collection is called below its path, or the format of its answer."""
_PREFIX = re.compile(r"v\d+(\.\d+)*|api|rest|public", re.I)


@dataclass(frozen=True, slots=True)
class PathSubject:
    """What a path is about: `/countries/{code}/cities/{id}` is a city (`noun`) of a country (`parent`), `by` id.

    `action` is a verb in the third person ("Converts") if the path ends in one, `which` an adjective ("nearest").
    `single`: there is one of it, as of a report, also if it is a list. `as_written` is the noun as the path has it.
    """

    noun: str
    parent: str = ""
    by: str = ""
    action: str = ""
    which: str = ""
    single: bool = False
    as_written: str = ""

    @property
    def many(self) -> str:
        return _many(self.noun)

    def select(self, noun: str) -> str:
        """Its noun with what selects from all of them: `latest movies`, `products in stock`."""
        if self.which.partition(" ")[0] in _RELATIONS:
            return f"{noun} {self.which}"
        return f"{self.which} {noun}".strip()

    @property
    def of(self) -> str:
        """ " of a country", or ""."""
        return f" of {indefinite(self.parent)}" if self.parent else ""

    @property
    def indefinite(self) -> str:
        """`a city`, `an airport`."""
        return indefinite(self.noun) if self.noun else ""


@lru_cache(maxsize=4096)
def subject(path: str) -> PathSubject:
    """The subject of a path; its noun is "" if the path names nothing (`/`)."""
    parts = _named_parts(path)
    last = next((index for index in reversed(range(len(parts))) if "{" not in parts[index]), None)
    if last is None:
        return PathSubject("")
    by, parts = _by(parts[last + 1 :]), parts[: last + 1]
    return _of_action_or_selection(parts, by) or _of_noun(parts, by)


def _named_parts(path: str) -> list[str]:
    """The segments of a path without those that name no thing: `v1`, `by-country`, a final `list`."""
    parts = [part for part in FORMAT.sub("", path).split("/") if part and not _PREFIX.fullmatch(part)]
    # `/cities/by-country/{code}` is about cities.
    parts = [part for part in parts if not part.lower().startswith(("by-", "by_"))]
    while len(parts) > 1 and parts[-1].lower() in LIST_WORDS:
        parts.pop()
    return parts


def _of_action_or_selection(parts: list[str], by: str) -> PathSubject | None:
    """The subject of a path that ends in an action (`/cities/search`) or a selection (`/cities/popular`)."""
    word, noun = _words(parts[-1]), _noun(_static(parts[:-1]))
    if word in _ACTIONS:
        return PathSubject(noun, by=by, action=_ACTIONS[word] if len(parts) > 1 else "")
    relation, _, rest = word.partition(" ")
    if len(parts) > 1 and (word in _WHICH or (rest and relation in _RELATIONS)):
        # `/airports/{iata}/nearby` are the nearby airports of an airport.
        return PathSubject(noun, parent=noun if "{" in parts[-2] else "", by=by, which=word)
    return None


def _of_noun(parts: list[str], by: str) -> PathSubject:
    """The subject of a path that ends in a noun, which the segment above it may qualify."""
    above, as_written = parts[-2] if len(parts) > 1 else "", _words(parts[-1])
    noun, word = _noun(parts[-1]), _words(above)
    by = _strip(by, noun)
    if by and as_written.rpartition(" ")[2] in STORES:
        noun = as_written = f"{as_written} entry"
    if word in _WHICH:
        return PathSubject(noun, by=by, which=word)
    if word in _ACTIONS:
        return PathSubject(noun, by=by, action=_ACTIONS[word])
    if above.lower() in _CONTAINERS:
        return PathSubject(f"{noun} {singular(above.lower())}", by=by, single=True)
    parent = _noun(_static(parts[:-1]))
    if "{" in above:
        return PathSubject(noun, parent, by, as_written=as_written)
    # `/countries/summary` is the summary of countries; of `/browse/categories` only the categories are sure.
    of_all = parent and above.lower() == _many(parent) != parent and _many(noun) != as_written
    if of_all and not by:
        return PathSubject(f"{noun} of {_many(parent)}", single=True)
    return PathSubject(noun, by=by, as_written=as_written)


def owner(path: str, name: str) -> str:
    """What a path parameter identifies: `code` in `/countries/{code}/cities` is of a country."""
    parts = [part for part in path.split("/") if part]
    at = next((index for index, part in enumerate(parts) if f"{{{name}}}" in part), len(parts))
    before = [part for part in parts[:at] if "{" not in part and not part.lower().startswith(("by-", "by_"))]
    return _noun(before[-1]) if before and not _PREFIX.fullmatch(before[-1]) else ""


def _static(parts: list[str]) -> str:
    return next((part for part in reversed(parts) if "{" not in part), "")


_NUMBERED = re.compile(r"\b([a-z]+) (\d+)\b")


def _words(segment: str) -> str:
    """A path segment as words; "" for the name of a file, which is no noun."""
    if re.search(r"\.(json|xml|html|csv|php|txt)$", segment):
        return ""
    # A number that follows letters at once belongs to them: `s3`, `ipv4`.
    return _NUMBERED.sub(
        lambda found: "".join(found.groups() if found[1] + found[2] in segment.lower() else found[0]),
        humanise(segment.strip("_")),
    )


def _noun(segment: str) -> str:
    head, _, tail = _words(segment).rpartition(" ")
    return f"{head} {singular(tail)}".strip()


def _many(noun: str) -> str:
    if " of " in noun:
        head, _, rest = noun.partition(" of ")
        return f"{_many(head)} of {rest}"
    head, _, tail = noun.rpartition(" ")
    return f"{head} {plural(tail)}".strip() if tail else ""


def _by(parts: list[str]) -> str:
    """The last path parameter's name as words, "" if the path does not end in one."""
    names = re.findall(r"{([^}]+)}", "/".join(parts))
    return humanise(names[-1]) if names else ""


def _strip(by: str, noun: str) -> str:
    """`movie id` of a movie is its `id`."""
    return by[len(noun) + 1 :] if noun and by.startswith(f"{noun} ") else by


def indefinite(noun: str) -> str:
    """A noun with its article: `an airport`."""
    return f"{article(noun)} {noun}"
