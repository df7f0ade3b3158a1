"""What a change of RPC style is sent beside the thing that it names, and might choose others by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docrev.calls.content import required_content, unaddressed
from docrev.calls.routes import template
from docrev.records import Arguments
from docrev.spec.route_places import place_of

if TYPE_CHECKING:
    from docrev.spec.operation import Operation


def selects_more(operation: Operation, arguments: Arguments) -> str | None:
    """What might choose more than the thing that a change of RPC style names; None for nothing.

    Of a deletion, it is any member that is not required; where the query names the thing, any other part of that.
    """
    if operation.rpc_route is None or operation.route.method not in ("DELETE", "PATCH"):
        return None
    member = _further_member(operation, arguments) if operation.route.method == "DELETE" else None
    return member or _further_query(operation, arguments)


def _further_member(operation: Operation, arguments: Arguments) -> str | None:
    rest, required = unaddressed(operation, arguments), required_content(operation)
    return next((name for name in rest if name not in required), None) if isinstance(rest, dict) else None


def _further_query(operation: Operation, arguments: Arguments) -> str | None:
    places = map(place_of, template(operation.route.path).names)
    named = {at.name for at in places if at.place == "query"}
    asked = (each for each in operation.parameters if each.location == "query" and each.key in arguments)
    return next((each.name for each in asked if named and not each.required and each.name not in named), None)
