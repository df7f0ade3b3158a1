"""The revision (ToolBFS+ §3.4): from evidence to changes of the documents, each backed by facts and calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain

from docrev.events import Handler, StepTaken, ignore
from docrev.evidence import Evidence
from docrev.evidence.part import EvidencePart
from docrev.models import Model
from docrev.models.concurrent_questions import Split, unlimited
from docrev.records import Change, Json, OperationKey
from docrev.revision.contract import contract_changes
from docrev.revision.documented_facts import documented_facts
from docrev.revision.drafts import Writing
from docrev.revision.experience import experience_changes
from docrev.revision.links import link_changes
from docrev.revision.mended_texts import mended_texts, merged
from docrev.revision.observations import CatalogObservations, ObservedOperation, read_observations
from docrev.revision.operation_author import OperationAuthor
from docrev.revision.operation_questions import Questions
from docrev.revision.parts import divided
from docrev.revision.places import Spot, spots
from docrev.revision.profiles import budget
from docrev.revision.purposes import OfflineWriter
from docrev.revision.revised_marks import RevisedMarks
from docrev.revision.selection import NOTHING_CHOSEN, Offer, UnwantedOffers, WantedChanges, offer_of
from docrev.revision.sister_facts import with_sister_facts
from docrev.revision.text_revision import TextRevision
from docrev.revision.validation import apply, sound, unchecked
from docrev.settings.groups import ReviseSettings
from docrev.spec import Catalog, Document, Finding
from docrev.spec.lock import marked, place_marks, read_marks

MAX_LEVELS = 12
_EXPLORE = "run docrev explore again"
_BY_DEFAULT = ReviseSettings()
Wanted = Callable[[Iterable[Change]], list[Change]]
"""Takes out the changes that are not wanted."""


@dataclass(frozen=True, slots=True)
class Revision:
    """The changes, all documents with these changes, what to report, and the operations without evidence.

    `model` says what the model was asked and what it cost, if there is one. `trust` counts what became of the texts
    that it wrote: `kept`, `mended` (kept at the second try), `replaced` by docrev's own, `unanswered`, and how often
    each reason refused one (`instruction`, `link`, `unknown-name`, …); experiences that were refused count there too.
    `offers` are what a person may accept or decline, statement by statement.
    """

    changes: tuple[Change, ...]
    documents: dict[str, Document]
    findings: tuple[Finding, ...] = ()
    missed: tuple[tuple[OperationKey, str], ...] = ()
    model: dict[str, Json] | None = None
    trust: Counter[str] = field(default_factory=Counter)
    offers: tuple[Offer, ...] = ()


async def compose_revision(
    catalog: Catalog,
    evidence: Evidence,
    settings: ReviseSettings = _BY_DEFAULT,
    *,
    model: Model | None = None,
    split: Split = unlimited,
    choice: UnwantedOffers = NOTHING_CHOSEN,
    experience: bool = True,
    on_event: Handler = ignore,
) -> Revision:
    """The revision of `catalog` by what `evidence` shows; nothing is written to disk, and no API is called.

    `settings` say what is written, and how much; what they say of models is for the caller, who opens them. `model`
    writes the texts of each operation and reviews the whole; without one, texts are written by algorithm. `split`
    shares out what it may cost. `choice` is what a person did not accept of an earlier revision. `experience` False
    writes as if no wrong choice had been seen, to measure what experience is worth.
    Deterministic for the same evidence and model answers, and idempotent: revising the result changes nothing.
    """
    on_event(StepTaken("reading the evidence"))
    documents, damaged = marked(catalog.documents)
    whole = EvidencePart(evidence)
    # What a model may cost is shared out over all operations together.
    parts = divided(replace(catalog, documents=documents), whole, whole=model is not None)
    wishes = _Wishes(settings, model, split, choice, experience)
    made: list[_RevisedPart] = []
    for one, seen in parts:
        told = ignore if made else on_event
        part = _applied(one, await _drafted(one, seen, wishes, on_event=told), settings, on_event=told)
        made.append(part if len(part.documents) == len(documents) else part.put_away())
    findings = [*_stale(catalog, made, whole), *damaged]
    return _together(catalog, made, findings)


@dataclass(frozen=True, slots=True)
class _Wishes:
    """What a caller of `compose_revision` wants of it, the same for all parts."""

    settings: ReviseSettings
    model: Model | None
    split: Split
    choice: UnwantedOffers
    experience: bool


@dataclass(frozen=True, slots=True)
class _RevisedPart:
    """What is kept of the revision of a part.

    `revised`: docrev wrote something there before; `gone` are the operations that are not in the specs any more.
    """

    changes: list[Change]
    documents: dict[str, Document]
    findings: list[Finding]
    missed: tuple[tuple[OperationKey, str], ...]
    trust: Counter[str]
    offers: list[Offer]
    revised: bool
    gone: tuple[OperationKey, ...]

    def put_away(self) -> _RevisedPart:
        """The same with nothing but their texts of the documents, while other parts are revised."""
        return replace(self, documents={name: document.put_away() for name, document in self.documents.items()})


def _together(catalog: Catalog, parts: Sequence[_RevisedPart], findings: Sequence[Finding]) -> Revision:
    """The revision of a catalog by its parts, with what was found of all of it."""
    revised = dict(chain.from_iterable(part.documents.items() for part in parts))
    missed = dict(chain.from_iterable(part.missed for part in parts))
    return Revision(
        tuple(chain.from_iterable(part.changes for part in parts)),
        {name: revised[name] for name in catalog.documents},
        (*findings, *chain.from_iterable(part.findings for part in parts)),
        tuple((operation.key, missed[operation.key]) for operation in catalog.operations if operation.key in missed),
        trust=sum((part.trust for part in parts), Counter[str]()),
        offers=tuple(chain.from_iterable(part.offers for part in parts)),
    )


def _applied(catalog: Catalog, drafted: _Drafted, settings: ReviseSettings, *, on_event: Handler) -> _RevisedPart:
    """The documents of a part with what was drafted, as far as they stay valid."""
    on_event(StepTaken("validating the changes"))
    documents, kept, dropped = apply(catalog, merged(drafted.changes))
    written = {(change.file, change.pointer) for change in kept}
    drafted.marks.forget(change for change in drafted.changes if (change.file, change.pointer) not in written)
    documents, moved = place_marks(documents, drafted.marks.of, settings.marks)
    return _RevisedPart(
        kept,
        documents,
        [*drafted.findings, *moved, *dropped],
        drafted.missed,
        drafted.trust,
        [found for change in kept for found in _offers(change, drafted)],
        drafted.revised,
        drafted.gone,
    )


@dataclass(frozen=True, slots=True)
class _Drafted:
    """What the evidence says, as changes; the calls that it was read from are let go of before documents change."""

    changes: list[Change]
    mends: list[Change]
    offers: dict[tuple[str, str], list[Offer]]
    marks: RevisedMarks
    findings: list[Finding]
    missed: tuple[tuple[OperationKey, str], ...]
    trust: Counter[str]
    revised: bool
    gone: tuple[OperationKey, ...]


async def _drafted(catalog: Catalog, evidence: EvidencePart, wishes: _Wishes, *, on_event: Handler) -> _Drafted:
    settings = wishes.settings
    selection = WantedChanges(settings.only, settings.skip, wishes.choice)
    wanted = partial(selection.wanted, marks=read_marks(catalog.documents)[0])
    declared, changes = _declared(catalog, evidence, wanted) if settings.edit == "contract" else (catalog, [])
    declared, observations, places, mends = _mended(declared, evidence, wanted, experience=wishes.experience)
    writing = Writing(wishes.model or OfflineWriter(), budget(settings.profile), settings.words, settings.examples)
    author = None
    if writing.model.name != OfflineWriter.name:
        author = OperationAuthor(Questions(declared, evidence.evidence, observations, writing), observations, writing)
    texts = TextRevision(declared, observations, places, writing, selection, author)
    revised = any(document_marks.entries for document_marks in texts.marks.values())
    texts.mark([*changes, *mends])
    on_event(StepTaken("writing texts"))
    changes += mends
    changes += await texts.changes(wishes.split)
    if wishes.experience:
        documented = documented_facts(declared, evidence) if selection.is_only("experience") else None
        changes += wanted(experience_changes(declared, observations, texts.writing.trust, documented))
    if settings.links:
        changes += wanted(link_changes(declared, observations))
    missed, trust = _missed(observations), texts.writing.trust
    return _Drafted(
        changes, mends, texts.offers, texts.revised_marks, texts.findings, missed, trust, revised, observations.gone
    )


def _observed(catalog: Catalog, evidence: EvidencePart, *, experience: bool) -> CatalogObservations:
    """What the evidence shows, also by lists alike; without `experience` as if no wrong choice had been seen."""
    found = read_observations(catalog, evidence)
    found = replace(found, operations=with_sister_facts(found.operations))
    return found if experience else replace(found, experiences=())


def _offers(change: Change, drafted: _Drafted) -> list[Offer]:
    """What a person may accept or decline of a change: its statements, and the mend of what was there."""
    place = (change.file, change.pointer)
    mended = [offer_of(mend) for mend in drafted.mends if (mend.file, mend.pointer) == place]
    return [*mended, *drafted.offers.get(place, [])] or [offer_of(change)]


def _declared(catalog: Catalog, evidence: EvidencePart, wanted: Wanted) -> tuple[Catalog, list[Change]]:
    """The catalog with what is proven and undeclared, level by level, so that it is documented in the same run."""
    extended, changes = _levels(catalog, evidence, wanted, validated=False)
    # Validating once is enough if nothing is wrong; if something is, each level is sifted by itself.
    return (extended, changes) if sound(catalog, changes) else _levels(catalog, evidence, wanted, validated=True)


def _mended(
    catalog: Catalog, evidence: EvidencePart, wanted: Wanted, *, experience: bool
) -> tuple[Catalog, CatalogObservations, list[Spot], list[Change]]:
    """The catalog with the texts mended that evidence refutes, what was observed of it and where, and the changes."""
    observations = _observed(catalog, evidence, experience=experience)
    places = spots(catalog, observations)
    mends = wanted(mended_texts(catalog, observations, places))
    if not mends:
        return catalog, observations, places, mends
    catalog = Catalog.of(unchecked(catalog, mends).values())
    observations = _observed(catalog, evidence, experience=experience)
    return catalog, observations, spots(catalog, observations), mends


def _levels(
    catalog: Catalog, evidence: EvidencePart, wanted: Wanted, *, validated: bool
) -> tuple[Catalog, list[Change]]:
    changes: list[Change] = []
    original = catalog
    for _ in range(MAX_LEVELS):
        level = wanted(contract_changes(catalog, read_observations(catalog, evidence), original))
        if validated:
            documents, level, _ = apply(catalog, level)
        else:
            documents = unchecked(catalog, level)
        if not level:
            break
        changes += level
        catalog = Catalog.of(documents.values())
    return catalog, changes


def _stale(catalog: Catalog, parts: Sequence[_RevisedPart], evidence: EvidencePart) -> list[Finding]:
    """What shows that the specs are not those that were explored, or that nothing was learned of them."""
    gone = [_gone(catalog, key) for key in sorted(key for part in parts for key in part.gone)]
    gone += [_useless(catalog, tool, trouble) for tool, trouble in sorted(evidence.useless.items())]
    digest, revised = evidence.evidence.run.settings.get("specs"), any(part.revised for part in parts)
    if gone or not isinstance(digest, str) or digest == catalog.digest or revised:
        return gone
    message = "the specs have changed since they were explored; only what is still there was revised"
    name = next(iter(catalog.files.values()))
    return [Finding("spec-changed", "info", name, 1, "", message, _EXPLORE)]


def _useless(catalog: Catalog, tool: str, trouble: str) -> Finding:
    message = f"{tool} {trouble}; nothing is written of it"
    return Finding("nothing-learned", "warning", _file(catalog, tool), 1, "", message, _EXPLORE)


def _file(catalog: Catalog, tool: str) -> str:
    return catalog.files.get(tool, next(iter(catalog.files.values())))


def _gone(catalog: Catalog, key: OperationKey) -> Finding:
    file = _file(catalog, key.tool)
    message = f"{key} was explored and is no longer in the specs"
    return Finding("operation-gone", "warning", file, 1, "", message, _EXPLORE)


def _missed(observations: CatalogObservations) -> tuple[tuple[OperationKey, str], ...]:
    """The operations that never returned 2xx, and why."""
    return tuple(
        (observed.key, observations.missed.get(observed.key) or _why_missed(observed))
        for observed in observations.operations
        if not observed.good
    )


def _why_missed(observed: ObservedOperation) -> str:
    return "no answer with 2xx" if observed.bad else "never called"
