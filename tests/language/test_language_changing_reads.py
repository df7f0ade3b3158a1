"""Which texts of reading operations say that reading changes something."""

from __future__ import annotations

import pytest

from docrev.language.changing_reads import says_change


@pytest.mark.parametrize(
    "text",
    [
        "Returns the unread notifications and marks them as read.",
        "Get messages of a thread. All returned messages will be marked as read.",
        "Messages are automatically marked as delivered",
        "Pops the next message off the queue",
        "Fetches the next task and removes it from the work queue",
        "The job is then removed from the queue.",
        "Returns the counters since the last call, and then resets them",
        "Get and delete the oldest message",
        "Returns the current value and increments the sequence",
        "The link can only be viewed once.",
        "A one-time secret: it is destroyed after it was read.",
        "Claims a lock? Returns the free worker and reserves it for ten minutes",
    ],
)
def test_what_says_that_reading_changes_something(text: str) -> None:
    assert says_change(text)


@pytest.mark.parametrize(
    "text",
    [
        "Returns all messages that are marked as read",
        "Lists the notifications. To mark them as read, use `PUT /notifications/{id}`.",
        "Peeks at the next message without removing it from the queue",
        "Does not remove it from the queue.",
        "Lists items that were removed from the queue",
        "Returns the users and the groups they claim",
        "Whether the item can be used once it is paid",
        "Returns the history of locks and resets",
        "Counts how often the page is read",
        "Returns a file that is deleted after 30 days",
    ],
)
def test_what_only_speaks_of_changes(text: str) -> None:
    assert not says_change(text)
