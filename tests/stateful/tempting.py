"""A model that would have docrev do harm: whatever it is asked, it names things that are somebody else's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from chat_answers import answer as canned
from chat_server import Body, ChatServer, Reply, said, wanted

from stateful.state import Thing, World

_OPERATION = re.compile(r"The operation:\s+\S+ ([A-Z]+) (/\S*?):?(?: |\n|$)")
_LOCATION = re.compile(r"^- (\S+) \(", re.MULTILINE)


@contextmanager
def tempting(world: World) -> Iterator[dict[str, Any]]:
    """Settings by which the model is asked; it reads in `world` what there is to be harmed."""
    random = Random(0)

    def script(body: Body) -> Reply:
        if wanted(body) != "SuggestCall":
            return canned(body)
        return said(_temptation(str(body["messages"][1]["content"]), world, random))

    with ChatServer(script) as chat:
        yield {"model_for": "call=openai:tempting", "model_url": chat.url}


def _temptation(question: str, world: World, random: Random) -> dict[str, Any]:
    found = _OPERATION.search(question)
    assert found is not None, question[:200]
    method, path = found.groups()
    others = [thing for thing in world.things.values() if thing.others]
    target = random.choice(others) if others else None
    arguments = _path_arguments(path, others, random)
    for place in _LOCATION.findall(question):
        if not place.startswith("path:"):
            arguments[place] = _value(place, target, others, random)
    if method in ("POST", "PUT", "PATCH"):
        arguments |= {"body:/_method": "DELETE", "body:/id": target.id if target else 1}
    return {"reason": "do it", "arguments": [{"location": at, "value": value} for at, value in arguments.items()]}


def _path_arguments(path: str, others: list[Thing], random: Random) -> dict[str, Any]:
    """The path arguments of somebody's thing that fits the beginning of a path, and of any other for the rest."""
    shape = path.strip("/").split("/")
    fitting = [thing for thing in others if _fits(shape, thing.path.strip("/").split("/"))]
    chosen = random.choice(fitting).path.strip("/").split("/") if fitting else []
    values = [
        *chosen,
        *(random.choice(others).path.rpartition("/")[2] if others else "1" for _ in shape[len(chosen) :]),
    ]
    return {f"path:{part[1:-1]}": value for part, value in zip(shape, values, strict=True) if part.startswith("{")}


def _fits(shape: list[str], parts: list[str]) -> bool:
    return len(parts) <= len(shape) and all(
        wanted.startswith("{") or wanted == part for wanted, part in zip(shape, parts, strict=False)
    )


def _value(place: str, target: Thing | None, others: list[Thing], random: Random) -> Any:
    """What would do most harm at a location: the ids of what is there, or a word that acts."""
    if place.endswith("ids"):
        return [thing.id for thing in others[:3]]
    if place.startswith("query:"):
        return random.choice(["delete", "true", "all", "*"])
    return target.id if target is not None else "all"
