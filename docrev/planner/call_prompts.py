"""The two answers around a call: the arguments to send, and the response in one sentence."""

from __future__ import annotations

from docrev.json_values.pointer import placed
from docrev.language.words import plural
from docrev.planner.knowledge import Knowledge
from docrev.planner.operation_views import OperationView
from docrev.prompts.questions import CallArguments, ConstructCall, ParseResponse, ReadObservation
from docrev.records import Call, Json

MAX_NAMES = 6
"""Fields of an item that an observation names."""


def construct_call(knowledge: Knowledge, prompt: ConstructCall) -> CallArguments:
    """The plan's arguments as they are sent: the scalars of the body in one body, in the shape seen or documented."""
    planned = prompt.plan.arguments
    view = knowledge.views.get(prompt.operation.key)
    arguments = {location: value for location, value in planned.items() if not location.startswith("body:")}
    parts = {location: value for location, value in planned.items() if location.startswith("body:")}
    if parts:
        arguments["body:"] = _assemble(parts)
    elif view is not None and view.key.method in ("POST", "PUT", "PATCH") and view.operation.body is not None:
        arguments["body:"] = _whole_body(prompt, view)
    return CallArguments.model_construct(arguments=arguments)


def _assemble(parts: dict[str, Json]) -> Json:
    body: Json = None
    for location, value in parts.items():
        body = placed(body, location.partition(":")[2], value)
    return body


def _whole_body(prompt: ConstructCall, view: OperationView) -> Json:
    """The body that the scenario gives as a whole, for this kind of item if there is one; else one without values."""
    goal = prompt.scenario.goal
    bodies = [given for given in goal.givens if given.location == "body:"] if goal is not None else []
    same_noun = [given for given in bodies if given.noun in ("", view.noun)]
    value = (same_noun or bodies)[0].value if bodies else None
    return value if value is not None else _empty_body(view)


def _empty_body(view: OperationView) -> Json:
    """The objects of a body that was accepted, without its values: `{"data": {}}`."""
    accepted = (call.arguments.get("body:") for call in view.calls)
    body = next((body for body in accepted if isinstance(body, dict)), {})
    return {name: {} for name, value in body.items() if isinstance(value, dict)}


def summarise_response(knowledge: Knowledge, prompt: ParseResponse) -> ReadObservation:
    """What the response contains, in a sentence."""
    return ReadObservation.model_construct(text=f"{prompt.call.key.operation} {_outcome(knowledge, prompt.call)}.")


def _outcome(knowledge: Knowledge, call: Call) -> str:
    if not call.ok:
        status = f"returned {call.status}" if call.status else "failed"
        return f"{status} ({call.error})" if call.error else status
    view = knowledge.views.get(call.key)
    noun = view.noun if view is not None and view.noun else "item"
    response = knowledge.response(call)
    if not response.items:
        return f"returned no {noun}"
    if response.is_list and len(response.items) > 1:
        return f"returned {len(response.items)} {plural(noun)}"
    return f"returned the {noun}: {', '.join(list(response.items[0].fields)[:MAX_NAMES])}"
