"""Tasks on the services of the kit, with truths that are computed from a snapshot of what each holds.

`write_tasks` gives the suite of a service that runs, as a file for `docrev bench FILE`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

Things = Mapping[str, Any]
"""What a service holds, by path, as `services.py snapshot` prints it."""


class LiveTask(NamedTuple):
    """A text, and how its truth is found in a snapshot."""

    text: str
    truth: Callable[[Things], Any]


def _below(things: Things, path: str) -> Iterator[Any]:
    return (thing for name, thing in things.items() if name.startswith(path))


def _records(things: Things, name: str) -> list[Any]:
    return list(things[f"zones/example.org/records/{name}"])


BOOKS, CHORES = "buckets/library/collections/books/records/", "buckets/household/collections/todo/records/"
TASKS: Mapping[str, Mapping[str, LiveTask]] = {
    "kinto": {
        "still-to-do": LiveTask(
            "How many of the household's to-dos are not done yet? Answer with the number.",
            lambda things: sum(not one["done"] for one in _below(things, CHORES)),
        ),
        "done": LiveTask(
            "Which of the household's to-dos are done? Answer with what was to be done.",
            lambda things: {"set": [one["what"] for one in _below(things, CHORES) if one["done"]]},
        ),
        "shelf-of": LiveTask(
            'On which shelf of the library does the book "Effi Briest" stand? Answer with the number.',
            lambda things: next(one["shelf"] for one in _below(things, BOOKS) if one["title"] == "Effi Briest"),
        ),
        "books": LiveTask(
            "How many books does the library have? Answer with the number.",
            lambda things: len(list(_below(things, BOOKS))),
        ),
        "title-at": LiveTask(
            "Which book of the library stands on shelf 2? Answer with its title.",
            lambda things: next(one["title"] for one in _below(things, BOOKS) if one["shelf"] == 2),
        ),
        "highest-shelf": LiveTask(
            "Which book of the library stands on the shelf with the highest number? Answer with its title.",
            lambda things: max(_below(things, BOOKS), key=lambda one: one["shelf"])["title"],
        ),
        "friends": LiveTask(
            "How many members has the household's group of friends? Answer with the number.",
            lambda things: len(things["buckets/household/groups/friends"]["members"]),
        ),
        "purpose": LiveTask(
            "Which purpose is noted for the bucket of the library? Answer with the text.",
            lambda things: things["buckets/library"]["purpose"],
        ),
    },
    "powerdns": {
        "addresses": LiveTask(
            "To which IPv4 addresses does www.example.org point? Answer with the addresses.",
            lambda things: {"set": [one["content"] for one in _records(things, "www.example.org A")]},
        ),
        "mail-ttl": LiveTask(
            "For how many seconds may resolvers keep where the mail of example.org goes? Answer with the number.",
            lambda things: _records(things, "example.org MX")[0]["ttl"],
        ),
        "mail-host": LiveTask(
            "Which host takes the mail of example.org? Answer with its name.",
            lambda things: {"text": _records(things, "example.org MX")[0]["content"]},
        ),
        "mail-preference": LiveTask(
            "With which preference is the mail host of example.org listed? Answer with the number.",
            lambda things: _records(things, "example.org MX")[0]["prio"],
        ),
        "transfer-from": LiveTask(
            "From which address may the zone example.org be transferred as a whole? Answer with the address.",
            lambda things: things["zones/example.org/metadata/ALLOW-AXFR-FROM"][0],
        ),
        "key-algorithm": LiveTask(
            'By which algorithm does the TSIG key with the name "transfer" sign? Answer with the algorithm.',
            lambda things: next(one["algorithm"] for one in _below(things, "tsigkeys/transfer")),
        ),
        "primary-server": LiveTask(
            "Which name server is trusted as an autoprimary at 192.0.2.54? Answer with its name.",
            lambda things: {"text": next(one["nameserver"] for one in _below(things, "supermasters/192.0.2.54 "))},
        ),
        "zone-kind": LiveTask(
            "Of which kind is the zone example.org: native, master or slave? Answer with the kind.",
            lambda things: things["zones/example.org"]["type"],
        ),
    },
}


def write_tasks(service: Mapping[str, Any], things: Things, folder: Path) -> Path:
    """The tasks of a service that `services.py up` started, with its spec, as files in a folder."""
    name, spec = service["name"], Path(service["spec"])
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(spec, folder / f"{name}{spec.suffix}")
    suite = {
        "specs": [f"{name}{spec.suffix}"],
        "base_urls": {name: service["base_url"]},
        "headers": [service["header"]] if service["header"] else [],
        "allow": ["POST,PUT,PATCH,DELETE"],
        "tasks": [
            {"id": key, "level": "statement", "group": "live", "text": task.text, "answer": task.truth(things)}
            for key, task in TASKS[name].items()
        ],
    }
    file = folder / f"{name}-tasks.json"
    file.write_text(json.dumps(suite, indent=1), "utf-8")
    return file
