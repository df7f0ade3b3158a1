"""Requests that may change something, noted before they are sent: a process may be killed before it has the answer."""

from __future__ import annotations

from docrev.calls.executor import Executor
from docrev.evidence import Evidence
from docrev.prompts.steps import Invoke


class Intentions:
    """What is to be sent, and what an earlier process of the same run sent without keeping an answer."""

    def __init__(self, executor: Executor, store: Evidence) -> None:
        self._executor, self._store = executor, store
        self._unanswered = {intent.id for intent in store.intents.unanswered()}

    def lacks_answer(self, id: str) -> bool:
        """Whether an earlier process sent a request, or was about to, and kept no answer."""
        return id in self._unanswered

    def needs_consent(self, invoke: Invoke) -> bool:
        """Whether a call acts on what exists, since the user named it."""
        operation = self._executor.catalog[invoke.key]
        return self._executor.policy.needs_consent(operation, invoke.arguments, self._executor.journal)

    def note(self, invoke: Invoke, id: str) -> None:
        """Note a call before it is sent."""
        arguments = self._executor.redactor.without_credentials(dict(invoke.arguments))
        self._store.intents.put(id, invoke.key, arguments, consent=self.needs_consent(invoke))
