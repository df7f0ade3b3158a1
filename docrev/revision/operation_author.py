"""A model as the author of an operation's texts: asked once, checked, asked again for what was refused, then cut.

At the end a reader of the whole document says what misleads; only those places are written anew. What is left of a
refused text is what its evidence shows, sentence by sentence; where nothing is, docrev's own text stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import urlsplit

from docrev.conventions.run_names import is_invented
from docrev.errors import ModelError
from docrev.grouping import grouped
from docrev.language.characters import visible
from docrev.language.documentation_phrases import sentences
from docrev.models.concurrent_questions import Split, ask_concurrently
from docrev.models.trust import Suspicion, show
from docrev.prompts.documenting import (
    Complaint,
    Complaints,
    DocumentedOperation,
    OperationTexts,
    PlaceShown,
    PlaceText,
    ReviewDocuments,
)
from docrev.records import OperationKey
from docrev.revision.drafts import Writing
from docrev.revision.meaning_checks import TextEvidence, overstatements
from docrev.revision.notes import Statement
from docrev.revision.observations import CatalogObservations
from docrev.revision.operation_questions import OperationQuestion, PlaceDraft, Questions
from docrev.revision.text_checks import doubts
from docrev.spec import Place

ASKED_AT_ONCE = 8
MENDED_AFTER_REVIEW = 6
"""Operations whose texts are written anew after the review, at most."""
MAX_REASONS = 3
REVIEWED = 40
"""Operations of one review; a larger tool is read in parts."""
Pages = Mapping[OperationKey, Sequence[PlaceDraft]]
Texts = dict[Place, Statement]


@dataclass
class _Written:
    """What was written of one operation so far: texts that passed, and those that were refused last."""

    sheet: OperationQuestion
    places: Mapping[str, PlaceDraft]
    found: dict[str, PlaceText] = field(default_factory=dict)
    refused: dict[str, PlaceText] = field(default_factory=dict)

    @property
    def asked_places(self) -> tuple[PlaceShown, ...]:
        """All places at first, and then those whose texts were refused."""
        shown = self.sheet.prompt.places
        return tuple(place for place in shown if not self.refused or place.location in self.refused)


class OperationAuthor:
    """Writes the texts of operations; what became of them is counted in `writing.trust`."""

    def __init__(self, questions: Questions, observations: CatalogObservations, writing: Writing) -> None:
        self._questions, self._observations, self._writing = questions, observations, writing

    async def write(self, pages: Pages, split: Split) -> Texts:
        """The texts of all operations, by the place that each is for."""
        works = [partial(self._operation, key, places) for key, places in pages.items()]
        written = await ask_concurrently(works, at_once=ASKED_AT_ONCE, split=split)
        return {place: statement for texts in written for place, statement in texts.items()}

    async def review(self, documents: Sequence[DocumentedOperation], pages: Pages, split: Split) -> Texts:
        """What is to stand in place of texts that a reader of these documents was misled by."""
        by_operation: dict[OperationKey, list[Complaint]] = {}
        for part in _parts(documents):
            prompt = ReviewDocuments(tool=part[0].key.tool, operations=tuple(part))
            try:
                answer: Complaints = await self._writing.model.ask(prompt)
            except ModelError:
                continue
            for complaint in answer.complaints:
                by_operation.setdefault(complaint.operation, []).append(complaint)
        works = []
        for key, complaints in list(by_operation.items())[:MENDED_AFTER_REVIEW]:
            named = {complaint.location: complaint.problem for complaint in complaints}
            places = [place for place in pages.get(key, ()) if place.location in named]
            if places:
                self._writing.trust["complaint"] += len(places)
                works.append(partial(self._operation, key, places, named))
        mended = await ask_concurrently(works, at_once=ASKED_AT_ONCE, split=split)
        return {place: statement for texts in mended for place, statement in texts.items()}

    async def _operation(
        self, key: OperationKey, places: Sequence[PlaceDraft], complaints: Mapping[str, str] | None = None
    ) -> Texts:
        sheet = self._questions.sheet(key, places)
        writing = _Written(sheet, {place.location: place for place in places})
        asked = [f"{at or 'the operation'}: {visible(why)}" for at, why in (complaints or {}).items()]
        for turn in ("kept", "mended"):
            prompt = sheet.prompt.model_copy(update={"complaints": tuple(asked), "places": writing.asked_places})
            try:
                answer: OperationTexts = await self._writing.model.ask(prompt)
            except ModelError:
                self._writing.trust["unanswered"] += 1
                break
            asked = self._take_in(answer, writing, turn)
            if not asked:
                break
        found = {**writing.found, **self._cut(writing)}
        drafts = writing.places
        return {drafts[at].spot.place: self._statement(text, drafts[at], sheet) for at, text in found.items()}

    def _take_in(self, answer: OperationTexts, writing: _Written, turn: str) -> list[str]:
        """Keep the texts that pass; what is wrong with the others is returned, to be sent back."""
        complaints = []
        for text in answer.texts:
            place = writing.places.get(text.location)
            if place is None or not text.text.strip():
                continue
            refusals = self._doubts(text, place, writing.sheet)
            writing.refused.pop(text.location, None)
            if not refusals:
                self._writing.trust[turn] += 1
                writing.found[text.location] = text
                continue
            self._writing.trust[refusals[0].reason] += 1
            writing.refused[text.location] = text
            says = "; ".join(visible(doubt.says) for doubt in refusals[:MAX_REASONS])
            complaints.append(f'{text.location or "the operation"}: "{visible(text.text)}" was refused: {says}')
        return complaints

    def _cut(self, writing: _Written) -> dict[str, PlaceText]:
        """What is left of texts that were refused twice: the sentences that pass by themselves."""
        left: dict[str, PlaceText] = {}
        for at, text in writing.refused.items():
            whole = [text.model_copy(update={"text": sentence}) for sentence in sentences(text.text)]
            passing = [part.text for part in whole if not self._doubts(part, writing.places[at], writing.sheet)]
            if passing:
                left[at] = text.model_copy(update={"text": " ".join(passing)})
            self._writing.trust["cut" if passing else "replaced"] += 1
        return left

    def _doubts(self, text: PlaceText, place: PlaceDraft, sheet: OperationQuestion) -> list[Suspicion]:
        """Why a text may not be written, the most serious reason first."""
        budget = self._writing.budget
        most = budget.paragraph if place.spot.kind == "operation" else budget.parameter
        hosts = {urlsplit(call.url).netloc for call in sheet.calls.values()} - {""}
        found = doubts(text.text, sheet.known, words=sheet.prompt.place_words, characters=most, hosts=hosts)
        return [*found, *self._passing(text.text), *overstatements(text.text, self._evidence(text, place, sheet))]

    def _passing(self, text: str) -> Iterator[Suspicion]:
        """What a text quotes that only this run has seen: what it created, and has deleted since."""
        for value in re.findall(r"[\w.:-]+", text):
            if value in self._observations.temporary or is_invented(value):
                yield Suspicion("temporary", f"{show(value)} was made up or created by docrev itself; leave it out")

    def _evidence(self, text: PlaceText, place: PlaceDraft, sheet: OperationQuestion) -> TextEvidence:
        labels = [label.strip() for label in text.evidence]
        tried = [one for label in labels for one in sheet.tried.get(label, ())]
        calls = [sheet.calls[label] for label in labels if label in sheet.calls]
        parameters = place.spot.first.observed.operation.parameters
        required = any(one.key == place.location and one.required for one in parameters)
        return TextEvidence(calls, tried, self._observations.returned, required)

    def _statement(self, text: PlaceText, place: PlaceDraft, sheet: OperationQuestion) -> Statement:
        evidence = self._evidence(text, place, sheet)
        calls = dict.fromkeys([*(one.call.id for one in evidence.tried), *(call.id for call in evidence.calls)])
        is_false = text.kind != "correction" or bool(place.original)
        facts = tuple(fact for fact in place.spot.first.facts if place.location)
        return Statement(visible(text.text.strip()), "", text.kind if is_false else "wording", facts, tuple(calls))


def _parts(documents: Iterable[DocumentedOperation]) -> Iterator[list[DocumentedOperation]]:
    by_tool = grouped((one.key.tool, one) for one in documents)
    for found in by_tool.values():
        for at in range(0, len(found), REVIEWED):
            yield found[at : at + REVIEWED]
