"""The revision (ToolBFS+ §3.4): from evidence to changes of the documents, each backed by facts and calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial

from docrev.events import Handler, StepTaken, ignore
from docrev.evidence import Evidence
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
from docrev.revision.places import Spot, spots
from docrev.revision.profiles import budget
from docrev.revision.purposes import OfflineWriter
from docrev.revision.revised_marks import RevisedMarks
from docrev.revision.selection import NOTHING_CHOSEN, Offer, UnwantedOffers, WantedChanges, offer_of
from docrev.revision.text_revision import TextRevision
from docrev.revision.validation import apply, sound, unchecked
from docrev.settings.groups import ReviseSettings
from docrev.spec import Catalog, Document, Finding
from docrev.spec.lock import place_marks, read_marks

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
    drafted = await _drafted(
        catalog, evidence, settings, model=model, split=split, choice=choice, experience=experience, on_event=on_event
    )
    on_event(StepTaken("validating the changes"))
    documents, kept, dropped = apply(catalog, merged(drafted.changes))
    written = {(change.file, change.pointer) for change in kept}
    drafted.marks.forget(change for change in drafted.changes if (change.file, change.pointer) not in written)
    documents, moved = place_marks(documents, drafted.marks.of, settings.marks)
    findings = (*drafted.findings, *moved, *dropped)
    offers = tuple(found for change in kept for found in _offers(change, drafted))
    return Revision(tuple(kept), documents, findings, drafted.missed, trust=drafted.trust, offers=offers)


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


async def _drafted(
    catalog: Catalog,
    evidence: Evidence,
    settings: ReviseSettings,
    *,
    model: Model | None,
    split: Split,
    choice: UnwantedOffers,
    experience: bool,
    on_event: Handler,
) -> _Drafted:
    on_event(StepTaken("reading the evidence"))
    selection = WantedChanges(settings.only, settings.skip, choice)
    wanted = partial(selection.wanted, marks=read_marks(catalog.documents)[0])
    declared, changes = _declared(catalog, evidence, wanted) if settings.edit == "contract" else (catalog, [])
    declared, observations, places, mends = _mended(declared, evidence, wanted, experience=experience)
    writing = Writing(model or OfflineWriter(), budget(settings.profile), settings.words, settings.examples)
    author = None
    if writing.model.name != OfflineWriter.name:
        author = OperationAuthor(Questions(declared, evidence, observations, writing), observations, writing)
    texts = TextRevision(declared, observations, places, writing, selection, author)
    revised = any(document_marks.entries for document_marks in texts.marks.values())
    texts.mark([*changes, *mends])
    on_event(StepTaken("writing texts"))
    changes += mends
    changes += await texts.changes(split)
    if experience:
        documented = documented_facts(declared, evidence) if selection.is_only("experience") else None
        changes += wanted(experience_changes(declared, observations, texts.writing.trust, documented))
    if settings.links:
        changes += wanted(link_changes(declared, observations))
    findings = [*_stale(catalog, observations, evidence, revised=revised), *texts.findings]
    missed = _missed(observations)
    return _Drafted(changes, mends, texts.offers, texts.revised_marks, findings, missed, texts.writing.trust)


def _observed(catalog: Catalog, evidence: Evidence, *, experience: bool) -> CatalogObservations:
    """What the evidence shows; without `experience` as if no wrong choice had been seen."""
    found = read_observations(catalog, evidence)
    return found if experience else replace(found, experiences=())


def _offers(change: Change, drafted: _Drafted) -> list[Offer]:
    """What a person may accept or decline of a change: its statements, and the mend of what was there."""
    place = (change.file, change.pointer)
    mended = [offer_of(mend) for mend in drafted.mends if (mend.file, mend.pointer) == place]
    return [*mended, *drafted.offers.get(place, [])] or [offer_of(change)]


def _declared(catalog: Catalog, evidence: Evidence, wanted: Wanted) -> tuple[Catalog, list[Change]]:
    """The catalog with what is proven and undeclared, level by level, so that it is documented in the same run."""
    extended, changes = _levels(catalog, evidence, wanted, validated=False)
    # Validating once is enough if nothing is wrong; if something is, each level is sifted by itself.
    return (extended, changes) if sound(catalog, changes) else _levels(catalog, evidence, wanted, validated=True)


def _mended(
    catalog: Catalog, evidence: Evidence, wanted: Wanted, *, experience: bool
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


def _levels(catalog: Catalog, evidence: Evidence, wanted: Wanted, *, validated: bool) -> tuple[Catalog, list[Change]]:
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


def _stale(catalog: Catalog, observations: CatalogObservations, evidence: Evidence, *, revised: bool) -> list[Finding]:
    """What shows that the specs are not those that were explored, or that nothing was learned of them."""
    gone = [_gone(catalog, key) for key in observations.gone]
    gone += [_useless(catalog, tool, trouble) for tool, trouble in sorted(observations.useless.items())]
    digest = evidence.run.settings.get("specs")
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
