"""The first paragraph of an operation: what it does, what to send, what comes back, as names and calls show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus

from docrev.conventions.envelopes import ENVELOPES, plain_name
from docrev.conventions.parameters import Role, role_of
from docrev.language.documentation_phrases import FIELDS
from docrev.language.path_subjects import PathSubject, indefinite, subject
from docrev.language.phrases import joined, listed, sentence
from docrev.prompts.questions import DescribeOperation, Text
from docrev.records import Call, Fact, Json
from docrev.revision import labels, response_samples
from docrev.revision.profiles import fits

_MOST_EXPLAINED = 3
"""Fields that are listed with what is in each; of more, only the names are."""
RESTS_ON = ("sorts", "limits", "default", "required", "wrapped-in", "creates", "pages")
"""Kinds of facts that the first paragraph may rest on."""
_RELATIONS = {"nearby": "near", "nearest": "nearest to", "similar": "similar to", "related": "related to"}


def describe_operation(prompt: DescribeOperation) -> Text:
    """The first paragraph; empty if no call was answered with 2xx, or if only the path would be repeated."""
    sample = OperationPurpose(prompt, response_samples.good(prompt.calls))
    if not sample.calls:
        return Text(text="")
    if all(call.body == {} for call in sample.calls):
        return Text(text="Returns an empty object.")
    if sample.kind == "item" and not sample.fields and not sample.subject.by:
        return Text(text="")
    return Text(text=next(filter(fits, sample.paragraphs()), ""))


@dataclass(frozen=True)
class OperationPurpose:
    """An operation with the calls of it that were answered with 2xx."""

    prompt: DescribeOperation
    calls: list[Call]

    @cached_property
    def subject(self) -> PathSubject:
        return subject(self.prompt.operation.key.path)

    @cached_property
    def kind(self) -> str:
        """Which sentence says what the operation does."""
        method = self.prompt.operation.key.method
        if method == "POST":
            return self._kind_of_post()
        named = {"PUT": "put", "PATCH": "patch", "DELETE": "delete"}.get(method)
        return named or ("list" if response_samples.lists(self.calls) else "item")

    def _kind_of_post(self) -> str:
        if any(response_samples.is_batch(call.arguments.get("body:")) for call in self.calls):
            return "batch"
        return "create" if self._has_created or self.facts("creates") else "post"

    def facts(self, *kinds: str) -> list[Fact]:
        return [fact for fact in self.prompt.facts if fact.kind in kinds]

    def paragraphs(self) -> Iterator[str]:
        """The paragraph, then shorter ones: without the order, without the fields either."""
        for order, fields in ((self.order, self.fields), ("", self.fields), ("", "")):
            yield sentence(self._paragraph(self._head(order), fields))

    def _paragraph(self, head: str, fields: str) -> str:
        sent = self.sent
        if head and fields and self.kind == "item" and not sent and not self.subject.action:
            return f"{head}: {fields}."
        return " ".join(filter(None, (f"{head}." if head else "", sent, self._returns(fields) if fields else "")))

    def _head(self, order: str) -> str:
        """What the operation does, without a full stop; "" if its path does not say."""
        about = self.subject
        if self.kind == "batch":
            return "Performs several requests in one call"
        if self.kind == "item" and (service := self._about_service()):
            return f"Returns {service}"
        if about.action and about.many:
            return f"{about.action} {about.many}{self._search}{self._page}{order}"
        if not about.noun:
            return ""
        return _list(about, f"{self._page}{order}") if self.kind == "list" else self._heads().get(self.kind, "")

    def _heads(self) -> dict[str, str]:
        about = self.subject
        identified = f"{about.indefinite}{about.of}" + (f" by its {labels.spelled(about.by)}" if about.by else "")
        alone = f"the {f'{about.which} ' if about.which else ''}{about.as_written or about.noun}{about.of}"
        several = f"{'the ' if about.parent else ''}{about.many}{about.of} in bulk"
        return {
            "item": f"Returns {identified if about.by else alone}",
            "create": f"Creates {about.indefinite}" + (f" in {indefinite(about.parent)}" if about.parent else ""),
            "put": f"{'Creates or replaces' if self._also_creates else 'Replaces'} {identified}",
            "patch": f"Updates fields of {identified}",
            "delete": f"Deletes {identified if about.by else several}",
        }

    @cached_property
    def order(self) -> str:
        """How a list is sorted if no order is asked for: by the default of the parameter that sorts, or as seen."""
        found = (self._default_order() or response_samples.order(self.calls)) if self.kind == "list" else None
        if found is None:
            return ""
        return f", sorted by `{found[0]}`" + (" in descending order" if found[1] else "")

    def _default_order(self) -> tuple[str, bool] | None:
        defaults = {(fact.location, str(fact.value)) for fact in self.facts("default")}
        for fact in self.facts("sorts"):
            if (fact.location, str(fact.value["value"])) in defaults:
                return labels.field_name(fact.value["field"]), fact.value["order"] == "descending"
        return None

    @property
    def _page(self) -> str:
        """How many items a response contains if no number is asked for: the default of the parameter that limits."""
        limits = {fact.location for fact in self.facts("limits")}
        size = next((fact.value for fact in self.facts("default") if fact.location in limits), None)
        if size is None or self.kind != "list":
            return ""
        return f", {size} per page" if self.facts("pages") else f", up to {size} by default"

    @property
    def sent(self) -> str:
        """What a body must have, as facts show it; if none does, what every accepted body of a POST had."""
        if self.facts("wrapped-in"):
            return ""
        needed = [labels.field_name(fact.location) for fact in self.facts("required") if "body:/" in fact.location]
        if needed:
            return f"Requires {listed(list(dict.fromkeys(needed)))} in the request body."
        bodies = [call.arguments["body:"] for call in self.calls if "body:" in call.arguments]
        posted = self.prompt.operation.key.method == "POST" and all(isinstance(body, dict) for body in bodies)
        names = _with_contents(bodies) if posted else ""
        return f"Send {names} in the request body." if names else ""

    @cached_property
    def fields(self) -> str:
        """The fields that every response, or every item of its list, has."""
        if self._is_list:
            return listed(response_samples.fields(self.calls))
        return _with_contents([call.body for call in self.calls])

    def _returns(self, fields: str) -> str:
        if not self._is_list:
            return f"Returns {fields}."
        noun = "entry" if self.subject.single else self.subject.noun or "item"
        returned = " returned" if self.prompt.operation.key.method == "DELETE" else ""
        return FIELDS.write(noun=f"{noun}{returned}", fields=fields)

    @property
    def _is_list(self) -> bool:
        return self.prompt.operation.key.method != "POST" and bool(response_samples.lists(self.calls))

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
        path = self.prompt.operation.key.path
        if path.strip("/") == "":
            return "information about the service"
        bodies = [call.body for call in self.calls]
        if all(isinstance(body, dict) and ("swagger" in body or "openapi" in body) for body in bodies):
            return "the service's own OpenAPI description"
        name = path.rpartition("/")[2]
        return f"`{name}`" if not self.subject.noun and "{" not in path else ""


def _list(about: PathSubject, end: str) -> str:
    if about.single:
        return f"Returns the {about.noun}{end}"
    if about.which in _RELATIONS and about.parent:
        return f"Returns {about.many} {_RELATIONS[about.which]} {indefinite(about.parent)}{end}"
    if about.which:
        return f"Returns the {about.which} {about.many}{about.of}{end}"
    by = f" by {labels.spelled(about.by)}" if about.by else ""
    return f"Lists {'the ' if about.parent else ''}{about.many}{about.of}{by}{end}"


def _with_contents(objects: Sequence[Json]) -> str:
    """The names that all objects have; of few, also what is in them: "`data` (with `id`)"."""
    names = response_samples.shared_names(objects)
    if len(names) > _MOST_EXPLAINED:
        return listed(names)
    pieces: list[str] = []
    # What an envelope contains comes before what lies beside it.
    for name in sorted(names, key=lambda name: plain_name(name) not in ENVELOPES):
        within, is_list = response_samples.names_within(objects, name)
        contents = f" ({'each ' if is_list else ''}with {listed(within, most=3)})" if within else ""
        pieces.append(f"`{name}`{contents}")
    return joined(pieces)
