"""The first paragraph of an operation: what it does, what to send and what it returns, by its names and calls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus

from docrev.conventions.parameters import Role, role_of
from docrev.language.path_subjects import PathSubject, indefinite, subject
from docrev.language.phrases import sentence
from docrev.language.words import words
from docrev.records import Call, Fact
from docrev.revision import labels, response_samples
from docrev.revision.profiles import fits
from docrev.revision.writer_inputs import OperationInput

RESTS_ON = ("sorts", "limits", "default", "required", "wrapped-in", "creates", "pages")
"""Kinds of facts that a first paragraph may rest on."""
_PREPOSITIONS = frozenset("to by of in for from with at on".split())
_RELATIONS = {"nearby": "near", "nearest": "nearest to", "similar": "similar to", "related": "related to"}


def describe_operation(place: OperationInput) -> str:
    """The first sentence; empty if no call was answered with 2xx, or if the path does not say."""
    sample = OperationPurpose(place, response_samples.good(place.calls))
    head = sentence(sample.head()) if sample.calls else ""
    return head if fits(head) else ""


@dataclass(frozen=True)
class OperationPurpose:
    """An operation with the calls of it that were answered with 2xx."""

    place: OperationInput
    calls: list[Call]

    @cached_property
    def subject(self) -> PathSubject:
        return subject(self.place.operation.key.path)

    @cached_property
    def kind(self) -> str:
        """Which sentence says what the operation does."""
        method = self.place.operation.key.method
        if method == "POST":
            return self._kind_of_post()
        named = {"PUT": "put", "PATCH": "patch", "DELETE": "delete"}.get(method)
        return named or ("list" if response_samples.lists(self.calls) else "item")

    def _kind_of_post(self) -> str:
        if any(response_samples.is_batch(call.arguments.get("body:")) for call in self.calls):
            return "batch"
        return "create" if self._has_created or self.facts("creates") else "post"

    def facts(self, *kinds: str) -> list[Fact]:
        return [fact for fact in self.place.facts if fact.kind in kinds]

    def head(self) -> str:
        """What the operation does, without a full stop; "" if its path does not say."""
        about = self.subject
        if self.kind == "batch":
            named = {"batch", "bulk"} & {*words(self.place.operation.key.path)}
            return "" if named else "Performs several requests in one call"
        if self.kind == "item" and (service := self._about_service()):
            return f"Returns {service}"
        if about.action and about.many:
            return f"{about.action} {about.many}{self._search}"
        if not about.noun:
            return ""
        return _list(about) if self.kind == "list" else self._heads().get(self.kind, "")

    def _heads(self) -> dict[str, str]:
        about = self.subject
        identified = f"{about.indefinite}{about.of}" + (f" by its {labels.spelled(about.by)}" if about.by else "")
        alone = f"the {about.select(about.as_written or about.noun)}{about.of}"
        return {
            "item": f"Returns {identified if about.by else alone}",
            "create": f"Creates {about.indefinite}" + (f" in {indefinite(about.parent)}" if about.parent else ""),
            "put": f"{'Creates or replaces' if self._also_creates else 'Replaces'} {identified}",
            "patch": f"Updates fields of {identified}",
            "delete": f"Deletes {identified}" if about.by else "",
        }

    @property
    def _search(self) -> str:
        """The parameter that had the text in every search."""
        names = [{at.partition(":")[2] for at in call.arguments if at.startswith("query:")} for call in self.calls]
        shared = sorted(name for name in set.intersection(*names) if role_of(name) is Role.SEARCH)
        return f" for the text in `{shared[0]}`" if shared else ""

    @property
    def _also_creates(self) -> bool:
        """Whether a PUT also creates: by a fact, or because it was answered 201."""
        return any(fact.value.get("replaces") for fact in self.facts("creates")) or self._has_created

    @property
    def _has_created(self) -> bool:
        return any(call.status == HTTPStatus.CREATED for call in self.calls)

    def _about_service(self) -> str:
        """What a response is that is about the service and not about a thing in it; "" if it is about one."""
        path = self.place.operation.key.path
        if all(response_samples.is_openapi(call.body) for call in self.calls):
            return "the OpenAPI description of the API"
        name = path.rpartition("/")[2]
        return f"`{name}`" if name and not self.subject.noun and "{" not in path else ""


def _list(about: PathSubject) -> str:
    if about.single:
        return f"Returns the {about.noun}"
    if about.noun.rpartition(" ")[2] in _PREPOSITIONS:
        return ""
    if about.which in _RELATIONS and about.parent:
        return f"Returns {about.many} {_RELATIONS[about.which]} {indefinite(about.parent)}"
    if about.which:
        return f"Returns the {about.select(about.many)}{about.of}"
    by = f" by {labels.spelled(about.by)}" if about.by else ""
    return f"Lists {'the ' if about.parent else ''}{about.many}{about.of}{by}"
