"""What the text of an operation that should only read says of what it changes (English)."""

from __future__ import annotations

import re

_BY_THE_WAY = r"(?:also|then|automatically|immediately|atomically|implicitly|simultaneously)\s+"
_OBJECT = r"(?:it|them|that|this|these|those|the|its|their|each|all|any|every|returned)\b"
_USED = (
    "read|seen|viewed|opened|delivered|fetched|retrieved|claimed|taken|used|processed|consumed|sent|received|"
    "acknowledged|notified|downloaded|redeemed"
)
_SEEN = "accessed|downloaded|fetched|opened|read|redeemed|retrieved|viewed"
_QUEUES = "queue|stack|inbox|mailbox|buffer|backlog|pool|waiting list"

_CHANGES = re.compile(
    # "Returns the notifications and marks them as read."
    rf"\bmarks\s+(?:\S+\s+){{0,5}}?as\s+(?:{_USED})\b"
    rf"|\b(?:and|then|will)\s+(?:{_BY_THE_WAY})?mark\s+(?:\S+\s+){{0,5}}?as\s+(?:{_USED})\b"
    rf"|\b(?:will|are|is|gets?)\s+(?:be\s+)?(?:{_BY_THE_WAY})marked\s+as\s+(?:{_USED})\b"
    rf"|\bwill\s+be\s+marked\s+as\s+(?:{_USED})\b"
    # "Removes the next job from the queue.", "The job is removed from the queue."
    r"|\b(?:removes|deletes|takes|pops|pulls|dequeues|consumes|drains)\s+(?:\S+\s+){1,5}?"
    rf"(?:from|off|out of)\s+(?:the|its|a|this)\s+(?:\w+\s+){{0,2}}(?:{_QUEUES})\b"
    rf"|\b(?:is|are)\s+(?:{_BY_THE_WAY})?(?:removed|deleted|taken|popped)\s+(?:from|off)\s+(?:the|its)\s+"
    rf"(?:\w+\s+){{0,2}}(?:{_QUEUES})\b"
    # "Returns the report and deletes it.", "Get and remove the oldest message"
    rf"|\band\s+(?:{_BY_THE_WAY})?(?:removes|deletes|pops|dequeues|claims|locks|leases|reserves|acknowledges|consumes|"
    rf"clears|resets|empties|flushes|increments|advances|expires|invalidates)\s+{_OBJECT}"
    rf"|^[ \t]*(?:get|gets|fetch|fetches|return|returns|retrieve|retrieves|read|reads)\s+and\s+"
    r"(?:removes?|deletes?|pops?|claims?|locks?|leases?|reserves?|acknowledges?|consumes?|clears?|resets?|increments?)\b"
    # "The secret can be read only once.", "It is deleted after it was read."
    rf"|\bcan\s+only\s+be\s+(?:{_SEEN})\s+once\b"
    rf"|\bcan\s+be\s+(?:{_SEEN})\s+(?:only\s+once|(?:only\s+)?(?:one|a\s+single)\s+time)\b"
    r"|\b(?:is|are|gets?)\s+(?:then\s+)?(?:deleted|removed|destroyed|invalidated|consumed|burned)\s+"
    r"(?:after|once|upon|when|as soon as)\s+(?:it|they|the first|being|first|reading|retrieval)\b",
    re.IGNORECASE | re.MULTILINE,
)


def says_change(text: str) -> bool:
    """Whether a text says that what is read is changed by that: "Returns the jobs and removes them from the queue."""
    return _CHANGES.search(text) is not None
