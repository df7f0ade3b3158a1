"""The revision (ToolBFS+ §3.4): from evidence to changes of the documents, each backed by facts and calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from docrev.evidence import Evidence
from docrev.facts.registry import BY_FIELD
from docrev.models import Model
from docrev.models.concurrent_questions import Split, boundless, together
from docrev.models.trust import unsafe
from docrev.records import Change, Experience, Fact, Json, OperationKey
from docrev.revision.composition import Draft, compose_operation, compose_value, judged, shown_by
from docrev.revision.contract import contract_changes
from docrev.revision.drafts import Writing, purpose
from docrev.revision.experience import merged
from docrev.revision.fingerprints import Fingerprints
from docrev.revision.links import link_changes
from docrev.revision.observations import Observations, read_observations
from docrev.revision.operation_notes import of_operation
from docrev.revision.place_facts import common_facts
from docrev.revision.places import Spot, spots
from docrev.revision.profiles import budget
from docrev.revision.purposes import Writer
from docrev.revision.validation import apply, sound, unchecked
from docrev.revision.value_notes import of_value
from docrev.settings.choices import Edit, Examples, Profile
from docrev.spec import Catalog, Document, Finding

ASKED_AT_ONCE = 8
MAX_LEVELS = 12
MAX_CALLS = 8


@dataclass(frozen=True, slots=True)
class Revision:
    """What came of it: the changes, all documents as they then are, what to report, and what was never shown.

    `model` says what the model was asked and what it cost, where one was. `trust` counts what became of the texts
    that it wrote: `kept`, `mended` (kept at the second try), `replaced` by docrev's own, `unanswered`, and how often
    each reason refused one (`instruction`, `link`, `unknown-name`, …); experiences that were refused count there too.
    """

    changes: tuple[Change, ...]
    documents: dict[str, Document]
    findings: tuple[Finding, ...] = ()
    missed: tuple[tuple[OperationKey, str], ...] = ()
    model: dict[str, Json] | None = None
    trust: Counter[str] = field(default_factory=Counter)


async def compose_revision(
    catalog: Catalog,
    evidence: Evidence,
    *,
    model: Model | None = None,
    edit: Edit = "docs",
    examples: Examples = "masked",
    profile: Profile = "none",
    links: bool = False,
    split: Split = boundless,
) -> Revision:
    """The revision of `catalog` by what `evidence` shows; nothing is written to disk, and no API is called.

    `model` answers the three revision prompts; without one, texts are written by template. `split` shares out what it
    may cost. `edit` "docs" touches descriptions and `x-docrev` (and `links` where asked for), "contract" also what is
    proven and undeclared.
    Deterministic for the same evidence and model answers, and idempotent: revising the result changes nothing.
    """
    declared, changes = _declared(catalog, evidence) if edit == "contract" else (catalog, [])
    observations = read_observations(declared, evidence)
    work = _Work(declared, observations, Writing(model or Writer(), budget(profile), examples), split)
    changes += await work.texts()
    changes += work.experiences()
    if links:
        changes += link_changes(declared, observations)
    changes += work.marks(changes)
    documents, kept, dropped = apply(catalog, changes)
    findings = (*_stale(catalog, observations, evidence), *work.findings, *dropped)
    return Revision(tuple(kept), documents, findings, _missed(observations), trust=work.writing.trust)


def _declared(catalog: Catalog, evidence: Evidence) -> tuple[Catalog, list[Change]]:
    """The catalog with what is proven and undeclared, level by level, so that it is documented in the same run."""
    made, changes = _levels(catalog, evidence, gated=False)
    # Validating once is enough where nothing is wrong; where something is, each level is sifted by itself.
    return (made, changes) if sound(catalog, changes) else _levels(catalog, evidence, gated=True)


def _levels(catalog: Catalog, evidence: Evidence, *, gated: bool) -> tuple[Catalog, list[Change]]:
    changes: list[Change] = []
    for _ in range(MAX_LEVELS):
        found = contract_changes(catalog, read_observations(catalog, evidence))
        if gated:
            documents, found, _ = apply(catalog, found)
        else:
            documents = unchecked(catalog, found)
        if not found:
            break
        changes += found
        catalog = Catalog.of(documents.values())
    return catalog, changes


@dataclass
class _Work:
    catalog: Catalog
    observations: Observations
    writing: Writing
    split: Split = boundless
    findings: list[Finding] = field(default_factory=list)
    prints: dict[str, Fingerprints] = field(default_factory=dict)

    async def texts(self) -> list[Change]:
        """The changes of descriptions, in the order of the operations that use them."""
        places = spots(self.catalog, self.observations)
        self.prints = {name: Fingerprints.of(document) for name, document in self.catalog.documents.items()}
        open_places = [spot for spot in places if self._open(spot)]
        asked = [partial(purpose, spot, self.observations, self.writing) for spot in open_places]
        said = await together(asked, at_once=ASKED_AT_ONCE, split=self.split)
        changes = [self._change(spot, text, places) for spot, text in zip(open_places, said, strict=True)]
        return [change for change in changes if change is not None]

    def _open(self, spot: Spot) -> bool:
        """Whether the text at a spot may be changed: not edited by a person since, and not in another language."""
        own = self.prints[spot.place.file].split(spot.pointer, spot.text)
        if own.edited:
            self._report("edited-since", spot, "this text was edited since docrev wrote it; it is left alone")
            return False
        beside = spot.first.observed.operation.summary if spot.kind == "operation" else ""
        if any(judged(spot, text) == "foreign" for text in (own.original, beside)):
            self._report("other-language", spot, "this text is not in English; nothing is mixed into it")
            return False
        return True

    def _report(self, id: str, spot: Spot, message: str) -> None:
        file, pointer = spot.place.file, spot.pointer
        line = self.catalog.documents[file].line(pointer)
        self.findings.append(Finding(id, "info", file, line, pointer, message))

    def _change(self, spot: Spot, said: str, places: Sequence[Spot]) -> Change | None:
        own = self.prints[spot.place.file].split(spot.pointer, spot.text)
        limits, examples = self.writing.budget, self.writing.examples
        draft: Draft | None
        if spot.kind == "operation":
            more = of_operation(spot.first.observed, self.observations, places, examples=examples)
            draft = compose_operation(spot, own, said, more, limits)
        else:
            more = of_value(spot, self.observations, said, examples=examples)
            draft = compose_value(spot, own, said, more, limits)
        if draft is None or (draft.added == own.added and draft.text == spot.text):
            return None
        self.prints[spot.place.file].put(spot.pointer, draft.added)
        if draft.text == spot.text:
            return None
        facts = shown_by(_relevant(spot), more)
        calls = (*more.calls, *_calls(spot), *(call for fact in facts for call in fact.calls[:1]))
        return Change(
            file=spot.place.file,
            pointer=spot.pointer,
            before=spot.text or None,
            after=draft.text,
            key=spot.first.observed.key,
            facts=facts,
            calls=tuple(dict.fromkeys(calls))[:MAX_CALLS],
        )

    def experiences(self) -> list[Change]:
        """The experiences of each operation, under its `x-docrev`."""
        changes: list[Change] = []
        for operation in self.catalog.operations:
            mine = [
                found for found in self.observations.experiences if found.key == operation.key and self._safe(found)
            ]
            place = operation.place
            there = self.catalog.documents[place.file].get(f"{place.pointer}/x-docrev", None)
            held = there.get("experience") if isinstance(there, dict) else None
            kept, added = merged(held, mine)
            if not added:
                continue
            calls = tuple(dict.fromkeys(call for found in added for call in found.calls))
            inside = isinstance(there, dict)
            pointer = f"{place.pointer}/x-docrev" + ("/experience" if inside else "")
            after: Json = kept if inside else {"experience": kept}
            changes.append(Change(place.file, pointer, held, after, operation.key, calls=calls))
        return changes

    def _safe(self, experience: Experience) -> bool:
        """Whether nothing in an experience speaks to its reader: its texts and values may come from anywhere."""
        told = (experience.scenario, experience.known, experience.right_plan, experience.wrong_plan, experience.why)
        doubt = next((doubt for text in told for doubt in unsafe(text)), None)
        if doubt is not None:
            self.writing.trust[doubt.reason] += 1
        return doubt is None

    def marks(self, changes: Sequence[Change]) -> list[Change]:
        """The fingerprints of the texts that docrev wrote, at the root of each document."""
        made: list[Change] = []
        for name, prints in self.prints.items():
            root = self.catalog.documents[name].tree
            there = root.get("x-docrev") if isinstance(root, dict) else None
            before = there.get("texts") if isinstance(there, dict) else None
            after = prints.tree()
            if after == (before or {}) or not isinstance(root, dict):
                continue
            calls = tuple(sorted({call for change in changes if change.file == name for call in change.calls}))
            inside = isinstance(there, dict)
            pointer, value = ("/x-docrev/texts", after) if inside else ("/x-docrev", {"texts": after})
            made.append(Change(name, pointer, before, value, None, calls=calls))
        return made


_BEHIND = (
    *(
        "comes-from",
        "type",
        "field",
        "format",
        "searches",
        *BY_FIELD,
        "sorts",
        "limits",
        "pages",
    ),
    "selects",
)


def _relevant(spot: Spot) -> tuple[Fact, ...]:
    """The facts that a purpose may rest on."""
    observed = spot.first.observed
    if spot.kind == "operation":
        return tuple(observed.all("sorts", "limits", "default", "required", "creates"))
    paging = observed.all("pages") if spot.name in observed.next_page else []
    return (*(fact for fact in common_facts(spot) if fact.kind in _BEHIND), *paging)


def _calls(spot: Spot) -> list[str]:
    """Some calls that show what is documented."""
    if spot.kind == "operation":
        observed = spot.first.observed
        return [call.id for call in (observed.good or observed.bad)[:3]]
    return [call for use in spot.uses for _, call in use.values[:3]][:3]


def _stale(catalog: Catalog, observations: Observations, evidence: Evidence) -> list[Finding]:
    """What says that the specs are not those that were explored."""
    found = [_gone(catalog, key) for key in observations.gone]
    digest = evidence.run.settings.get("specs")
    ours = any(
        isinstance(document.tree, dict) and "x-docrev" in document.tree for document in catalog.documents.values()
    )
    if found or not isinstance(digest, str) or digest == catalog.digest or ours:
        return found
    message = "the specs have changed since they were explored; what is still there was revised"
    name = next(iter(catalog.files.values()))
    return [Finding("spec-changed", "info", name, 1, "", message, "run docrev explore again")]


def _gone(catalog: Catalog, key: OperationKey) -> Finding:
    file = catalog.files.get(key.tool, next(iter(catalog.files.values())))
    message = f"{key} was explored and is no longer in the specs"
    return Finding("operation-gone", "warning", file, 1, "", message, "run docrev explore again")


def _missed(observations: Observations) -> tuple[tuple[OperationKey, str], ...]:
    """The operations of which no answer with 2xx was seen, and why."""
    return tuple(
        (
            observed.key,
            observations.missed.get(observed.key) or ("never called" if not observed.bad else "no answer with 2xx"),
        )
        for observed in observations.operations
        if not observed.good
    )
