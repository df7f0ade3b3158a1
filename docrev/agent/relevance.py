"""How well the documents of a plan match a clause of a task."""

from __future__ import annotations

from dataclasses import dataclass, field

from docrev.agent.clauses import Clause
from docrev.agent.documents import AgentDocuments, Doc
from docrev.agent.vocabulary import SELF, alike
from docrev.agent.ways import ArgumentSource, Way

COVERED, EARLIER = 2.0, 0.7
"""What a word of the clause counts that documents are about; less in the documents of the calls before the last."""
WANTED, UNSTATED, AIMED, FOREIGN, UNUSED = 1.0, 0.25, 1.0, 0.35, 1.2
"""A field that is asked for, and one that a partial document may have; a path that names what is asked for, or what
nobody asked for; a value of the clause that nothing takes."""
NAMED_TOOL, NAMED_OPERATION, OTHER_OPERATION = 2.0, 3.0, -1.5
"""A tool or an operation that the text itself names, and one beside those."""
SINGLE_FOR_ALL, LISTED_ONE, LIST_OF_ASKED, THING = -0.5, -2.5, 0.4, 1.0
"""One thing if all are wanted; one item of a list if all are; a list of what is asked for; things asked for."""
VERB = 1.0
CREATING, CHANGING = 0.6, 0.4
"""A POST that is to create, a PATCH that is to change."""
SAME_PATH = {"create": -2.0, "delete": 0.8}
"""After a call to the same path: what is there need not be added, and only what is there can be taken away."""
SPEAKS, NAMES = 0.25, 0.3
"""What a call is worth for each word of the clause that its document is about, and that its path names."""


@dataclass(slots=True)
class Relevance:
    """Weighs ways by what their documents say."""

    docs: AgentDocuments
    clause: Clause
    _speaks: dict[str, float] = field(default_factory=dict)
    _returned: dict[str, float] = field(default_factory=dict)
    _tools_named: set[str] = field(init=False)
    """The tools that the text itself names."""

    def __post_init__(self) -> None:
        self._tools_named = {str(value.value).casefold() for value in self.clause.values} & self.docs.tools

    def score(self, doc: Doc, way: Way) -> float:
        """What a way is worth that ends in `doc`, beside what its calls and links are worth."""
        others = [self.docs.by_name[name] for name in way.names[:-1]]
        return (
            COVERED * self._coverage(doc, others)
            + self._of_document(doc)
            + self._named_in_text(doc, way)
            - UNUSED * self._unused_values(way)
            + self._number_of_things(doc, way)
            + self._deed(doc, others)
        )

    def of_call(self, doc: Doc) -> float:
        """What a call is worth in any place: how much of the clause its document and its path are about."""
        if doc.name not in self._speaks:
            verb = self._verb() if doc.is_read else ""
            about = sum(self.docs.match(word, doc) for word in self.clause.stems if not verb or word != verb)
            named = [word for word in dict.fromkeys(doc.path_stems) if word in self.clause.stems]
            self._speaks[doc.name] = SPEAKS * about + NAMES * sum(map(self._rarity, named))
        return self._speaks[doc.name]

    def _rarity(self, word: str) -> float:
        return self.docs.rarity.get(word, 1.0)

    def _verb(self) -> str:
        """The word that says what is to be done; "" if something is only to be read."""
        return self.clause.stems[0] if self.clause.deed != "read" and self.clause.stems else ""

    def _coverage(self, doc: Doc, others: list[Doc]) -> float:
        """How much of the clause's words is covered, by the last document first of all."""
        total = 0.0
        for word in self.clause.stems:
            earlier = others if word != self._verb() else []
            total += max(self.docs.match(word, doc), *(EARLIER * self.docs.match(word, one) for one in earlier), 0.0)
        return total

    def _of_document(self, doc: Doc) -> float:
        """What the document itself is worth, whatever is called before."""
        if doc.name not in self._returned:
            self._returned[doc.name] = self._asked_fields(doc) + self._path(doc)
        return self._returned[doc.name]

    def _asked_fields(self, doc: Doc) -> float:
        """How far the fields that are asked for are documented."""
        return WANTED * sum(weight * self._rarity(word) * _returns(doc, word) for word, weight in self.clause.want)

    def _path(self, doc: Doc) -> float:
        """What the path names: what is asked for, and what nobody asked for."""
        path = dict.fromkeys(doc.path_stems)
        aimed = sum(
            weight * self._rarity(segment) * alike(word, segment)
            for word, weight in self.clause.want
            for segment in path
        )
        return AIMED * aimed - FOREIGN * sum(self._rarity(segment) for segment in path if self._is_foreign(segment))

    def _is_foreign(self, word: str) -> bool:
        """Whether nothing in the clause is like a word of the path. Things that are done are done by the user."""
        if word == SELF and self.clause.deed != "read":
            return False
        return not any(alike(word, other) for other in self.clause.stems)

    def _named_in_text(self, doc: Doc, way: Way) -> float:
        """Whether the text itself names the tool, and the operations."""
        score = NAMED_TOOL if doc.sheet.key.tool.casefold() in self._tools_named else 0.0
        if self.clause.named:
            operations = [self.docs.by_name[name].sheet.key.operation for name in way.names]
            hits = sum(operation in self.clause.named for operation in operations)
            score += NAMED_OPERATION * hits + OTHER_OPERATION * (len(operations) - hits)
        return score

    def _unused_values(self, way: Way) -> int:
        """How many values of the clause no call takes."""
        left = (value for at, value in enumerate(self.clause.values) if at not in way.used)
        return sum(value.kind != "ordinal" and str(value.value).casefold() not in self._tools_named for value in left)

    def _number_of_things(self, doc: Doc, way: Way) -> float:
        """Whether the operation returns as many things as are wanted, and those that are."""
        score = 0.0
        if self.clause.many or self.clause.counts:
            score += SINGLE_FOR_ALL if doc.is_single else 0.0
            if any(self._is_one_of_list(source, doc) for _, source in way.steps[-1].sources):
                score += LISTED_ONE
        return score + self._things(doc)

    def _things(self, doc: Doc) -> float:
        """Whether the operation returns the things that are asked for."""
        asked = [word for word, weight in self.clause.want if weight == 1.0]
        are_listed = not doc.is_single and any(alike(word, noun) for word in asked for noun in doc.nouns)
        likeness = max((alike(word, doc.noun) for word in asked), default=0.0)
        return (LIST_OF_ASKED if are_listed else 0.0) + THING * likeness

    def _is_one_of_list(self, source: ArgumentSource, doc: Doc) -> bool:
        """Whether an argument is one of a list, and the operation looks at that one alone: the others are lost."""
        other = self.docs.by_name.get(source.provider)
        if other is None or not other.is_read or not (doc.is_single or other.noun in doc.nouns):
            return False
        return not other.is_single or f"{source.field}/0" in other.fields

    def _deed(self, doc: Doc, others: list[Doc]) -> float:
        """Whether the operation does what is to be done."""
        deed = self.clause.deed
        score = CREATING if (doc.method, deed) == ("POST", "create") else 0.0
        score += CHANGING if (doc.method, deed) == ("PATCH", "change") else 0.0
        if deed != "read":
            score += VERB * self.docs.match(self._verb(), doc)
        if any(other.path == doc.path for other in others):
            score += SAME_PATH.get(deed, 0.0)
        return score


def _returns(doc: Doc, word: str) -> float:
    """How far a document states that the operation returns a field; it may if the document leaves fields out."""
    stated = max((alike(word, other) for label in doc.fields.values() for other in label), default=0.0)
    return max(stated, UNSTATED) if doc.is_partial and doc.is_read else stated
