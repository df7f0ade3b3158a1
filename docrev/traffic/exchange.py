"""One request with its response, as a record of traffic has it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its response. Headers are by lower-case name; bodies are as they went over the wire.

    `body` is None if the record has no body although there was one. `where` is the place in the record.
    """

    method: str
    url: str
    status: int
    request_headers: dict[str, str] = field(default_factory=dict)
    request_body: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = b""
    where: str = ""
