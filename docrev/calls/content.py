"""What a call says beside its path: its body or its query, and what of that names the thing it goes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docrev.calls.route_arguments import holder_in
from docrev.calls.routes import template
from docrev.records import Arguments, Json
from docrev.spec.route_places import place_of

if TYPE_CHECKING:
    from docrev.spec.operation import Operation


def content(operation: Operation, arguments: Arguments) -> Json:
    """What a call that may change something says beside its path: its body or, where none is documented, its query."""
    if operation.body is not None or "body:" in arguments:
        return arguments.get("body:")
    parts = ((location.partition(":"), value) for location, value in arguments.items())
    return {name: value for (place, _, name), value in parts if place == "query"} or None


def required_content(operation: Operation) -> list[str]:
    """The members that the content of such a call must have."""
    if operation.body is None:
        return [
            parameter.name for parameter in operation.parameters if parameter.required and parameter.location == "query"
        ]
    schema = operation.body_schema
    return list(schema.required) if schema is not None else []


def with_content(operation: Operation, arguments: Arguments, said: Json) -> dict[str, Json]:
    """The arguments with other `content`."""
    if operation.body is not None or "body:" in arguments:
        return {**arguments, "body:": said}
    return {**arguments, **{f"query:{name}": value for name, value in (said or {}).items()}}


def unaddressed(operation: Operation, arguments: Arguments) -> Json:
    """The content of a call without what names the thing that it goes to in RPC style."""
    body = content(operation, arguments)
    names = template(operation.route.path).names if operation.rpc_route is not None else ()
    places = [found for found in map(place_of, names) if found.place != "path"]
    members = {found.name for found in places}
    # The one object in a list is judged as a body is.
    body = next((holder_in(body, found) for found in places if found.in_item), body)
    return {name: v for name, v in body.items() if name not in members} if isinstance(body, dict) and members else body


def said_beside(operation: Operation, arguments: Arguments) -> dict[str, Json]:
    """What a call says in its query and its headers, where these are not its `content` anyway."""
    if operation.body is None and "body:" not in arguments:
        return {}
    parts = ((location.partition(":"), value) for location, value in arguments.items())
    return {name: value for (place, _, name), value in parts if place in ("query", "header")}
