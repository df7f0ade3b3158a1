"""The two steps around a call: its arguments put together, and its response said in a sentence."""

from __future__ import annotations

from docrev.language.words import plural
from docrev.models.request_bodies import put
from docrev.planner.knowledge import Knowledge, View
from docrev.prompts.questions import CallArguments, ConstructCall, Observation, ParseResponse
from docrev.records import Json


def construct(knowledge: Knowledge, prompt: ConstructCall) -> CallArguments:
    """The plan's arguments as they are sent: scalars of the body put into one body, in the shape seen or documented."""
    plan = prompt.plan
    view = knowledge.views.get(prompt.operation.key)
    arguments = {location: value for location, value in plan.arguments.items() if not location.startswith("body:")}
    inner = {location: value for location, value in plan.arguments.items() if location.startswith("body:")}
    goal = prompt.scenario.goal
    bodies = [given for given in goal.givens if given.location == "body:"] if goal else []
    mine = [given for given in bodies if view is not None and given.noun in ("", view.noun)]
    whole = (mine or bodies)[0].value if bodies else None
    if inner:
        body: Json = None
        for location, value in inner.items():
            body = put(body, location.partition(":")[2], value)
        arguments["body:"] = body
    elif view is not None and view.key.method in ("POST", "PUT", "PATCH") and view.operation.body is not None:
        arguments["body:"] = whole if whole is not None else _shape(view)
    return CallArguments.model_construct(arguments=arguments)


def _shape(view: View) -> Json:
    """The objects of a body that was accepted, without its values: `{"data": {}}`."""
    for seen in view.seen:
        body = seen.arguments.get("body:")
        if isinstance(body, dict):
            return {name: {} for name, value in body.items() if isinstance(value, dict)}
    return {}


def observe(knowledge: Knowledge, prompt: ParseResponse) -> Observation:
    """What the response holds, in a sentence."""
    call = prompt.call
    if not call.ok:
        said = f"{call.key.operation} answered {call.status}" if call.status else f"{call.key.operation} failed"
        return Observation.model_construct(text=f"{said}{f' ({call.error})' if call.error else ''}.")
    view = knowledge.views.get(call.key)
    noun = view.noun if view is not None and view.noun else "item"
    reading = knowledge.reading(call)
    if not reading.items:
        return Observation.model_construct(text=f"{call.key.operation} answered with no {noun}.")
    if reading.listed and len(reading.items) > 1:
        return Observation.model_construct(
            text=f"{call.key.operation} answered with {len(reading.items)} {plural(noun)}."
        )
    names = ", ".join(list(reading.items[0].fields)[:6])
    return Observation.model_construct(text=f"{call.key.operation} answered with the {noun}: {names}.")
