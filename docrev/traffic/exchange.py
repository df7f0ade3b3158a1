"""One request with its response, as a record of traffic has it."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b


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

    @property
    def wire(self) -> bytes:
        """A digest of what went over the wire, but for what differs each time."""
        parts = (self.method, self.url, str(self.status), self.request_body, self.headers.get("content-type", ""))
        head = "\n".join(f"{len(part)} {part}" for part in parts).encode("utf-8", "surrogatepass")
        return blake2b(head + b"\n" + (self.body or b""), digest_size=16).digest()
