"""A call as a command line of curl, for people to try; what was redacted stands as a variable of the shell."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from docrev.calls.media import CONTENT_TYPE, encode
from docrev.calls.redact import MASK
from docrev.records import Call
from docrev.spec import Operation

_VARIABLE = "'\"$SECRET\"'"
"""A variable of the shell within a text in single quotes, as all that has a mask is."""


def as_curl(call: Call, operation: Operation | None, credentials: Sequence[str] = ()) -> str:
    """The command that sends what a call sent: method, URL, headers that were arguments, and body.

    The body is written in the media type that `operation` declares; as JSON if it is None. `credentials`
    are what is sent with every call that is not made without them, as quoted words.
    """
    words = ["curl", "-sS"]
    if call.key.method != "GET":
        words += ["-X", call.key.method]
    for location, value in sorted(call.arguments.items()):
        if location.startswith("header:") and value is not None and location != CONTENT_TYPE:
            words += ["-H", f"{location.removeprefix('header:')}: {value}"]
    if "body:" in call.arguments:
        declared = operation.body if operation is not None else None
        kind = str(call.arguments.get(CONTENT_TYPE) or (declared.media_type if declared is not None else ""))
        kind, content = encode(call.arguments["body:"], kind, declared.schema if declared is not None else None)
        words += ["-H", f"content-type: {kind}", "--data-binary", content.decode(errors="replace")]
    given = [] if call.anonymous else credentials
    rest = " ".join(map(shlex.quote, [*words[2:], call.url])).replace(MASK, _VARIABLE)
    return " ".join([*words[:2], *given, rest])
