"""A call as a command line of curl, for people to try; what was redacted stands as a variable of the shell."""

from __future__ import annotations

import json
import shlex

from docrev.calls.redact import MASK
from docrev.records import Call


def as_curl(call: Call) -> str:
    """The command that sends what a call sent: method, URL, headers that were arguments, and body."""
    words = ["curl", "-sS"]
    if call.key.method != "GET":
        words += ["-X", call.key.method]
    for location, value in sorted(call.arguments.items()):
        if location.startswith("header:") and value is not None:
            words += ["-H", f"{location.removeprefix('header:')}: {value}"]
    if "body:" in call.arguments:
        words += ["-H", f"content-type: {call.media_type or 'application/json'}"]
        words += ["--data", json.dumps(call.arguments["body:"], ensure_ascii=False)]
    return " ".join(map(shlex.quote, [*words, call.url])).replace(MASK, "$SECRET")
