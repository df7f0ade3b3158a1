"""A fine-tuned ToolLLaMA as a `Model`: the next action is asked as it was trained, Thought, Action, Action Input."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from docrev.errors import AnswerError
from docrev.events import Handler, ModelAsked, ignore
from docrev.models import Model
from docrev.models.backend import Backend, CompletionRequest
from docrev.models.tooluser.slots import FILE
from docrev.prompts.agents import Action, NextAction
from docrev.prompts.conversation import Utterance, read_action, turns
from docrev.prompts.questions import AnswerT, Prompt
from docrev.prompts.toolbench_form import toolbench_turns
from docrev.settings.choices import AgentForm
from docrev.storage.atomic import write_json

SLOTS, CONVERSATION = "slots", "conversation"
OWN_TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}{% if message['role'] == 'assistant' %}"
    "Assistant:{{ message['content'] }}{{ eos_token }}\n{% else %}"
    "{{ message['role'] | capitalize }}: {{ message['content'] }}\n{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}Assistant:{% endif %}"
)
"""ToolLLaMA's form as a chat template, for a base model without one."""
_ROLES = {"system": "system", "user": "user", "assistant": "assistant", "function": "user"}


def form_of(folder: str | Path) -> str | None:
    """How the weights in a folder want to be asked: SLOTS, CONVERSATION, or None if nothing says so."""
    try:
        found = json.loads((Path(folder) / FILE).read_text(encoding="utf-8"))
        return str(found["form"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_own(folder: str | Path) -> bool:
    """Whether weights of the form CONVERSATION are asked by `OWN_TEMPLATE`."""
    found: Mapping[str, object] = json.loads((Path(folder) / FILE).read_text(encoding="utf-8"))
    return bool(found.get("own"))


def write_form(folder: Path, *, own: bool) -> None:
    """Say beside fine-tuned weights how they are asked; `own`: by `OWN_TEMPLATE`, with a role for functions."""
    write_json(folder / FILE, {"version": 1, "form": CONVERSATION, "own": own})


def merge_turns(told: Sequence[Utterance]) -> list[dict[str, str]]:
    """Messages for a chat template: what functions answer is the user's, and one role never speaks twice in a row."""
    found: list[dict[str, str]] = []
    for turn in told:
        role = _ROLES[turn.speaker]
        if found and found[-1]["role"] == role:
            found[-1]["content"] += f"\n\n{turn.text.strip()}"
        else:
            found.append({"role": role, "content": turn.text.strip()})
    return found


class ConversationModel:
    """Asks `backend` for the next action as a conversation, and `other` for everything else.

    `own`: by `OWN_TEMPLATE`, with a role for functions. `form` chooses the words.
    """

    def __init__(
        self, backend: Backend, other: Model, *, own: bool, form: AgentForm = "docrev", emit: Handler = ignore
    ) -> None:
        self.name, self._backend, self._other, self._emit = backend.name, backend, other, emit
        self._own, self._turns = own, toolbench_turns if form == "toolbench" else turns

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        """The typed answer. Raises AnswerError if the turn is no action."""
        if not isinstance(prompt, NextAction):
            return await self._other.ask(prompt)
        told = self._turns(prompt)
        messages = [{"role": one.speaker, "content": one.text} for one in told] if self._own else merge_turns(told)
        request = CompletionRequest("NextAction", tuple(messages), None, self._backend.settings.max_tokens)
        started, error = time.perf_counter(), ""
        done = await self._backend.complete(request)
        try:
            action: Action = read_action(done.text)
        except ValueError as raised:
            error = str(raised)
            raise AnswerError(error, where=f"{self.name} NextAction") from None
        finally:
            self._emit(
                ModelAsked(
                    model=self.name, prompt="NextAction", role=prompt.role, key=None, tokens_in=done.tokens_in,
                    tokens_out=done.tokens_out, attempts=1, seconds=time.perf_counter() - started,
                    cached=done.cached, error=error,
                )
            )  # fmt: skip
        return cast(AnswerT, action)
