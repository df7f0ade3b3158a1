"""The changes of descriptions: drafted, composed with what is there, and marked as docrev's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from docrev.grouping import grouped
from docrev.language.words import words
from docrev.models.concurrent_questions import Split
from docrev.prompts.documenting import DocumentedOperation
from docrev.records import Change, OperationKey
from docrev.revision.common_errors import disguised_errors
from docrev.revision.common_notes import common_statements, uncovered
from docrev.revision.common_values import common_to_values, of_items
from docrev.revision.composition import DOCUMENT, Draft, compose, judged, present_text, taken_apart
from docrev.revision.credential_notes import credential_form
from docrev.revision.deletion_notes import list_deletions
from docrev.revision.drafts import Writing
from docrev.revision.existing_texts import is_foreign
from docrev.revision.field_notes import common_fields, contradicted, same_fields, uncovered_fields
from docrev.revision.head_topics import by_topic
from docrev.revision.notes import Statement, categories, confidence, facts_behind
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.operation_author import OperationAuthor
from docrev.revision.operation_questions import PlaceDraft, shown_use
from docrev.revision.place_statements import PlaceStatements, is_cursor, shown_calls
from docrev.revision.places import Spot
from docrev.revision.revised_marks import RevisedMarks
from docrev.revision.selection import ALL_CHANGES, Offer, WantedChanges, offer
from docrev.revision.told_once import told_once
from docrev.revision.word_budget import WeighedStatement, choose, within
from docrev.revision.worth import is_stated, worth
from docrev.spec import Catalog, Finding, Place
from docrev.spec.change_classes import by_worth
from docrev.spec.lock import read_marks
from docrev.spec.marks import WrittenText, written
from docrev.spec.security import security_schemes
from docrev.spec.texts import is_good_text, is_restated

MAX_CALLS = 8
HEAD_SHARE = 6
"""The words of a whole document, as a multiple of those of an operation: each sentence there spares many."""


@dataclass(frozen=True)
class Page:
    """A place with the text that was found, what of it is left, and the statements that could be written."""

    spot: Spot
    found: WrittenText
    present: str
    statements: list[Statement]

    def written(self, statement: Statement | None) -> Page:
        """The same with a model's statement in place of docrev's purpose, if there is one."""
        return self if statement is None else replace(self, statements=[statement, *self.statements[1:]])


class TextRevision:
    """The revision of all descriptions of a catalog, at its `places`; `findings` says which were left alone.

    `marks` are those of each document, with the texts that the changes write. With an `author`, a model writes the
    texts of an operation together.
    """

    def __init__(
        self,
        catalog: Catalog,
        observations: CatalogObservations,
        places: list[Spot],
        writing: Writing,
        selection: WantedChanges = ALL_CHANGES,
        author: OperationAuthor | None = None,
    ) -> None:
        self._catalog = catalog
        self.writing = writing
        self.marks, self.findings = read_marks(catalog.documents)
        self.revised_marks = RevisedMarks(self.marks)
        self._selection = selection
        selection.remember(self.marks)
        self._by_file = grouped((observed.operation.place.file, observed) for observed in observations.operations)
        self._fields = {
            file: [*list_deletions(group, observations.invented), *common_fields(group, observations.invented)]
            for file, group in self._by_file.items()
        }
        self._sent = observations.credentials
        self._schemes = grouped((scheme.tool, scheme) for scheme in security_schemes(catalog)) if self._sent else {}
        self._same_fields = same_fields(observations.operations, observations.invented)
        self.offers: dict[tuple[str, str], list[Offer]] = {}
        self._author = author
        self.places = places
        self._statements = PlaceStatements(observations, places, self.marks, writing.examples)

    def mark(self, changes: Iterable[Change]) -> None:
        """Note of which class the changes are of which no text is docrev's: mends in the middle, and the contract."""
        for change in changes:
            before = self.marks[change.file].at(change.pointer)
            if not before.texts:
                mark = replace(before, classes=change.classes, confidence=change.confidence)
                self.revised_marks.put(change.file, change.pointer, mark)

    async def changes(self, split: Split) -> list[Change]:
        """The changes of descriptions, in the order of the operations that use them."""
        open_places = [spot for spot in self.places if self._may_change(spot)]
        found = {spot.place: self._taken_apart(spot) for spot in open_places}
        present = [present_text(spot, found[spot.place].original) for spot in open_places]
        statements = [self._statements.of(spot, found[spot.place]) for spot in open_places]
        pages = [
            Page(spot, found[spot.place], text, stated)
            for spot, text, stated in zip(open_places, present, statements, strict=True)
        ]
        if self._author is not None:
            pages = await self._authored(self._author, pages, split)
        changes = [
            self._change(spot, text, self._wanted(spot, text, taken)) for spot, text, taken in self._texts(pages)
        ]
        return [change for change in changes if change is not None]

    def statements_made(self) -> Iterator[tuple[Spot, Statement]]:
        """The statements that the documents make already: in docrev's sentences, in others, or by a schema."""
        drafted = [self._statements.drafted(spot) for spot in self.places]
        for spot, _, statements in self._heads(self.places, drafted):
            yield from ((spot, statement) for statement in statements if statement.text in spot.text)
        for spot, statements in zip(self.places, drafted, strict=True):
            known = f"{spot.text} {spot.first.observed.operation.summary}" if spot.kind == "operation" else spot.text
            yield from ((spot, statement) for statement in statements if is_stated(statement, spot, known))

    async def _authored(self, author: OperationAuthor, pages: Sequence[Page], split: Split) -> list[Page]:
        """The pages with the texts of a model, after it has read them all once more."""
        drafts: dict[OperationKey, list[PlaceDraft]] = {}
        notes = {spot.place: tuple(taken) for spot, _, taken in self._texts(pages)}
        for page in pages:
            place = PlaceDraft(page.spot, page.found.original, notes[page.spot.place])
            drafts.setdefault(shown_use(page.spot).observed.key, []).append(place)
        written = await author.write(drafts, split)
        documents = self._documents([page.written(written.get(page.spot.place)) for page in pages])
        written |= await author.review(documents, drafts, split)
        return [page.written(written.get(page.spot.place)) for page in pages]

    def _documents(self, pages: Sequence[Page]) -> list[DocumentedOperation]:
        """The operations as the revised document has them."""
        taken = {spot.place: statements for spot, _, statements in self._texts(pages)}
        lines: dict[OperationKey, list[str]] = {}
        for page in pages:
            spot = page.spot
            draft = compose(spot, page.found, taken.get(spot.place, []), self.writing.budget)
            text = draft.text if draft is not None else page.present
            if spot.kind == "operation" and (summary := spot.first.observed.operation.summary) not in text:
                text = f"{summary.rstrip('.')}. {text}"
            location, told = shown_use(spot).location, lines.setdefault(shown_use(spot).observed.key, [])
            if text:
                told.insert(0 if spot.kind == "operation" else len(told), f"{location or 'the operation'}: {text}")
        return [DocumentedOperation(key=key, lines=tuple(told)) for key, told in lines.items()]

    def _texts(self, pages: Sequence[Page]) -> list[tuple[Spot, WrittenText, list[Statement]]]:
        """What is to be written: of each document, then of each place, the statements that are worth their words."""
        heads = self._heads([page.spot for page in pages], [page.statements for page in pages])
        shared = [statement for _, _, stated in heads for statement in stated]
        chosen = self._chosen(((page.spot, page.present, page.statements) for page in pages), shared)
        return [*heads, *((page.spot, page.found, chosen.get(page.spot.place, [])) for page in pages)]

    def _chosen(
        self, stated: Iterable[tuple[Spot, str, Sequence[Statement]]], shared: Sequence[Statement]
    ) -> dict[Place, list[Statement]]:
        """The statements that are worth their words, by place; `shared` are those on a whole API."""
        candidates = [
            candidate
            for spot, text, statements in stated
            for candidate in self._candidates(
                spot, text, self._besides(spot, _untold(spot, text, statements, shared), shared)
            )
        ]
        return grouped(
            (spot.place, statement) for spot, statement, _ in choose(told_once(candidates), self.writing.words)
        )

    def _besides(self, spot: Spot, statements: Sequence[Statement], shared: Sequence[Statement]) -> list[Statement]:
        """What statements on a spot say beside those on the whole API, and on another operation."""
        if spot.kind == "operation":
            observed = spot.first.observed
            like = self._same_fields.get(observed.key)
            statements = [kept for found in statements for kept in uncovered_fields(observed, found, shared, like)]
        elif spot.kind == "parameter":
            told = {statement.about for statement in shared if statement.about}
            statements = [replace(found, text="") if of_items(spot, found) in told else found for found in statements]
        # The first is the purpose: it stands for the spot also where the whole API's paragraph tells it.
        purpose = [*uncovered(statements[:1], shared)] or [replace(statements[0], text="")]
        return [*purpose, *self._uncontradicting(spot, uncovered(statements[1:], shared))]

    def _uncontradicting(self, spot: Spot, statements: Iterable[Statement]) -> Iterator[Statement]:
        """Statements without those against a declared status, which nobody wants above the responses that have it."""
        for statement in statements:
            if told := contradicted(statement):
                message = f"{spot.first.observed.operation.key} {told} as declared; `--edit contract` declares it"
                self._report("other-status", spot, message)
            else:
                yield statement

    def _wanted(self, spot: Spot, found: WrittenText, statements: Sequence[Statement]) -> list[Statement]:
        """The statements that are wanted; without their share of the words, others would come."""
        return [statement for statement in statements if self._is_wanted(spot, found, statement)]

    def _candidates(self, spot: Spot, text: str, statements: Sequence[Statement]) -> list[WeighedStatement]:
        """The statements on a spot, with what each would tell a reader of its present `text`."""
        is_operation = spot.kind == "operation"
        known = f"{text} {spot.first.observed.operation.summary}" if is_operation else text
        purpose, *notes = statements
        said = _said_beside(spot)
        # Who described a parameter or property said what it is for; what facts add stands in the notes.
        is_told = not is_operation and purpose.category == "wording" and is_good_text(text, spot.name)
        first = WeighedStatement(spot, purpose, 0.0 if is_told else worth(purpose, spot, " ".join([known, *said])))
        notes = [note for note in notes if _is_correction(note) or not _adds_nothing(note.text, said)]
        before = [] if is_operation else [note.text for note in notes if _is_correction(note)]
        known = " ".join([known, *before, *([purpose.text] if first.worth else [])])
        closed = self.writing.budget.closed
        return [first, *(WeighedStatement(spot, note, worth(note, spot, known, closed=closed)) for note in notes)]

    def _heads(
        self, open_places: Sequence[Spot], statements: Sequence[Sequence[Statement]]
    ) -> list[tuple[Spot, WrittenText, list[Statement]]]:
        """What holds for all operations of a document: its place, the text there, and what is written."""
        notes: dict[str, list[tuple[ObservedOperation, Sequence[Statement]]]] = {}
        of_values = common_to_values([*zip(open_places, statements, strict=True)])
        for spot, stated in zip(open_places, statements, strict=True):
            if spot.kind == "operation":
                notes.setdefault(spot.place.file, []).append((spot.first.observed, stated))
        heads = []
        for name, document in self._catalog.documents.items():
            text = document.get("/info/description", None) or ""
            spot = Spot("document", Place(name, "/info"), "", text if isinstance(text, str) else "", ())
            every = self._by_file.get(name, [])
            shared = [*disguised_errors(every)]
            shared += common_statements(notes.get(name, []), self._fields.get(name, []), every)
            found = self.marks[name].split(spot.pointer, spot.text)
            shared += list(self._credentials(every, found.original, shared))
            shared += of_values.get(name, [])
            if found == WrittenText(spot.text):
                found = taken_apart(spot, shared)
            if not isinstance(document.get("/info", None), dict) or found.edited or is_foreign(found.original):
                continue
            heads.append((spot, found, self._fitting(spot, found.original, by_topic(shared))))
        return heads

    def _credentials(
        self, every: Sequence[ObservedOperation], text: str, shared: Sequence[Statement]
    ) -> Iterator[Statement]:
        """How the API of one document is sent credentials."""
        for tool in sorted({observed.key.tool for observed in every} & self._sent.keys()):
            yield from credential_form(every, self._sent[tool], self._schemes.get(tool, []), text, shared)

    def _fitting(self, spot: Spot, text: str, shared: Sequence[Statement]) -> list[Statement]:
        """The statements on a whole document that there is room for behind its `text`."""
        most, room = HEAD_SHARE * self.writing.words, DOCUMENT * self.writing.budget.operation
        told, left = within(shared, text, most, room)
        # What rests on facts is told at the operations instead.
        if lost := [statement.text for statement in left if not statement.facts]:
            self._report("head-full", spot, f"there is no room for: {' '.join(lost)}")
        return told

    def _may_change(self, spot: Spot) -> bool:
        """Whether the text at a spot may be changed: not edited by a person since, and not in another language."""
        found = self.marks[spot.place.file].split(spot.pointer, spot.text)
        if found.edited:
            self._report("edited-since", spot, "this text was edited since docrev wrote it; it is left alone")
            return False
        summary = spot.first.observed.operation.summary if spot.kind == "operation" else ""
        if any(judged(spot, text) == "foreign" for text in (found.original, summary)):
            self._report("other-language", spot, "this text is not in English; nothing is mixed into it")
            return False
        return True

    def _report(self, id: str, spot: Spot, message: str) -> None:
        file, pointer = spot.place.file, spot.pointer
        line = self._catalog.documents[file].line(pointer)
        found = Finding(id, "info", file, line, pointer, message)
        self.findings += [found] if found not in self.findings else []

    def _change(self, spot: Spot, found: WrittenText, statements: Sequence[Statement]) -> Change | None:
        draft = compose(spot, found, statements, self.writing.budget)
        news = self._news(spot, found, draft) if draft is not None else []
        if draft is None or not news:
            return None
        self._mark(spot, draft)
        if _stands(draft, spot):
            return None
        self.offers[spot.place.file, spot.pointer] = [self._offer(spot, found, draft, each) for each in news]
        facts = facts_behind(draft.statements)
        calls = [call for statement in draft.statements for call in statement.calls] + shown_calls(spot)
        calls += [call for fact in facts for call in fact.calls[:1]]
        return Change(
            file=spot.place.file,
            pointer=spot.pointer,
            before=spot.text or None,
            after=draft.text,
            key=spot.uses[0].observed.key if spot.uses else None,
            facts=facts,
            calls=tuple(dict.fromkeys(calls))[:MAX_CALLS],
            classes=categories(news),
            confidence=confidence(news),
        )

    def _news(self, spot: Spot, found: WrittenText, draft: Draft) -> list[Statement]:
        """What a draft says that is not there already, or else the whole of it; nothing if that is not wanted."""
        added = [statement for statement in draft.statements if statement.text not in found.added]
        whole = Statement(draft.text, category=categories(draft.statements)[0])
        if added or _stands(draft, spot) or self._is_wanted(spot, found, whole):
            return added or [whole]
        return []

    def _offer(self, spot: Spot, found: WrittenText, draft: Draft, statement: Statement) -> Offer:
        before = "" if found.original in draft.text else found.original
        key, place = (spot.first.observed.key, spot.first.location) if spot.uses else (None, "info")
        return offer(spot.place.file, spot.pointer, key, statement, place=place, before=before)

    def _is_wanted(self, spot: Spot, found: WrittenText, statement: Statement) -> bool:
        """Whether a statement is to be written at a spot; what is there already stays."""
        mark = self.marks[spot.place.file].at(spot.pointer)
        stands = bool(statement.text) and statement.text in found.added
        return stands or self._selection.wants(spot.place.file, spot.pointer, statement, mark)

    def _taken_apart(self, spot: Spot) -> WrittenText:
        """The text of a spot as people wrote it, and what docrev appended.

        What docrev would append is recognised though no mark says so, for a lock file may be lost or left behind.
        """
        found = self.marks[spot.place.file].split(spot.pointer, spot.text)
        if found != WrittenText(spot.text) or not spot.text:
            return found
        both = self._statements.drafted(spot)
        return taken_apart(spot, [*both, *self._besides(spot, both, self._fields.get(spot.place.file, []))])

    def _mark(self, spot: Spot, draft: Draft) -> None:
        """Note which part of a text docrev writes, and of which classes it is."""
        file, found = spot.place.file, draft.statements
        before = self.marks[file].at(spot.pointer)
        mended = () if before.texts else before.classes
        classes = by_worth((*mended, *categories(found)))
        mark = written(draft.added, classes, confidence(found), rejected=before.rejected)
        self.revised_marks.put(file, spot.pointer, mark)


def _stands(draft: Draft, spot: Spot) -> bool:
    """Whether a draft is the text that is there, which may end with its line."""
    return draft.text.rstrip("\n") == spot.text.rstrip("\n")


def _is_correction(statement: Statement) -> bool:
    return statement.category == "correction"


def _said_beside(spot: Spot) -> list[str]:
    """What the document says of a spot elsewhere: of its operation's results, and in a schema of its own."""
    responses = spot.first.observed.operation.responses.items()
    said = [response.description for status, response in responses if status[:1] == "2"]
    return (
        [*said, spot.schema.description] if spot.schema is not None and spot.schema.description != spot.text else said
    )


def _adds_nothing(text: str, said: Iterable[str]) -> bool:
    """Whether the documents' texts on responses and schemas say all that a statement says."""
    return "`" not in text and is_restated(text, *said, "also") and not is_restated(text, "also")


def _untold(spot: Spot, text: str, statements: Sequence[Statement], shared: Sequence[Statement]) -> Sequence[Statement]:
    """The statements without what a cursor is, where people say so and how it is used is stated for the whole API."""
    purpose, *notes = statements
    is_stated = any(statement.kind == "pages" and spot.name in statement.quotes for statement in shared)
    is_told = "cursor" in words(text.lower()) and is_stated and any(map(is_cursor, purpose.facts))
    return [replace(purpose, text=""), *notes] if is_told else statements
