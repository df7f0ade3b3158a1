"""What a property of a request body is taken to be where it is left out."""

from __future__ import annotations

from collections.abc import Iterator

from docrev.facts.effects_trials import Scene
from docrev.facts.effects_values import argument
from docrev.json_values.leaves import values_at
from docrev.records import Call, Fact, Json


def body_default(scene: Scene, location: str) -> Iterator[Fact]:
    """The value that comes back where none was sent: sending it gives the same, sending another gives that one."""
    tried = [one for one in scene.values(location) if one.ok]
    omitted = [one.base for one in tried if not argument(one.base.arguments, location)[0]]
    if not omitted or scene.key.method not in ("POST", "PUT"):
        return
    value = answered(omitted[0], location)
    sent = next((one for one in tried if one.value == value and answered(one.call, location) == value), None)
    other = next((one for one in tried if one.value != value and answered(one.call, location) == one.value), None)
    if value is not None and not isinstance(value, dict | list) and sent is not None and other is not None:
        calls = (omitted[0].id, sent.call.id, other.call.id)
        # What is replaced may also be kept as it was: shown again, the other value comes before nothing is sent.
        calls = calls if scene.key.method == "POST" else calls[::-1]
        yield Fact(scene.key, "default", location, value, calls)


def answered(call: Call, location: str) -> Json:
    """What the response has under the property's own pointer, or below the one object that wraps it."""
    pointer = location.removeprefix("body:")
    body = call.body
    found = values_at(body, pointer)
    if not found and isinstance(body, dict) and len(body) == 1:
        found = values_at(next(iter(body.values())), pointer)
    return found[0] if found else None
