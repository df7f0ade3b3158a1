"""Roles: which model is asked what, and what takes its place where it cannot answer."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from chat_answers import answer
from chat_server import ChatServer, Reply, wanted

from docrev.errors import ModelError, UsageError
from docrev.events import Event, ModelAsked
from docrev.models.opening import OpenModel, open_model
from docrev.models.store import Answers
from docrev.prompts import agents, questions
from docrev.prompts.baselines import ReviseDescription, ReviseParameters, SolvedUse
from docrev.prompts.questions import Brief, Prompt, SameExperience, Text
from docrev.records import Call, Experience, OperationKey
from docrev.revision.purposes import OfflineWriter
from docrev.settings.models import ROLES, ModelSettings, read_roles

KEY = OperationKey("shop", "GET /items")
CALL = Call("c1", KEY, {}, "http://127.0.0.1", 200, {}, [{"id": 1}, {"id": 2}], "application/json", "survey")
DESCRIBE = ReviseDescription(
    operation=Brief(key=KEY), original="Lists items.", examples=(SolvedUse(scenario="", call=CALL),)
)
EXPERIENCE = Experience(KEY, "a task", "known", KEY, "right", KEY, "wrong", "why")


def all_prompts(kind: type[Prompt[Any]] = Prompt) -> set[type[Prompt[Any]]]:
    below = set(kind.__subclasses__())
    return below.union(*map(all_prompts, below))


def asked(options: ModelSettings, *prompts: Prompt[Any], **more: Any) -> tuple[list[Any], OpenModel]:
    async def work() -> tuple[list[Any], OpenModel]:
        models = open_model(options, offline=OfflineWriter(), **more)
        try:
            return [await models.ask(prompt) for prompt in prompts], models
        finally:
            await models.close()

    return asyncio.run(work())


def test_every_prompt_has_one_of_the_roles() -> None:
    assert questions
    assert agents
    assert {prompt.role for prompt in all_prompts()} == set(ROLES)


def test_roles_are_read_from_lists_and_repetitions() -> None:
    given = read_roles(["judge=openai:a, plan=offline", "call=recorded:x=y.db"])
    assert given == {"judge": "openai:a", "plan": "offline", "call": "recorded:x=y.db"}


@pytest.mark.parametrize("text", ["judge", "judge=", "=offline", "", "judge=offline,judge=openai:a", "king=offline"])
def test_what_is_no_role_with_a_model_is_told(text: str) -> None:
    with pytest.raises(UsageError, match="--model-for"):
        read_roles([text])


def test_offline_roles_alone_ask_no_model() -> None:
    mixed = ModelSettings(model="openai:a", model_for=("revise=offline",))
    assert not mixed.asks(["revise"])
    assert mixed.asks(["revise", "plan"])
    assert ModelSettings(model_for=("judge=openai:a",)).asks(["judge"])


def test_one_model_is_asked_for_all_its_roles_and_another_for_its_own() -> None:
    with ChatServer(answer) as server:
        options = ModelSettings(
            model="openai:one", model_url=server.url, model_for=("experience=openai:two", "revise=offline")
        )
        found, models = asked(options, SameExperience(new=EXPERIENCE, known=()), DESCRIBE)
        assert [(body["model"], wanted(body)) for body in server.asked] == [("two", "SameExperience")]
    assert found[0].same
    assert found[1].text.startswith("Lists items")
    assert models.usage.to_json()["by_prompt"].keys() == {"SameExperience"}


def test_an_answer_that_cannot_be_used_is_given_offline_and_counted() -> None:
    told: list[Event] = []
    with ChatServer([Reply("no idea")]) as server:
        found, models = asked(ModelSettings(model="openai:one", model_url=server.url), DESCRIBE, emit=told.append)
    assert found == [Text(text="Lists items. The response contains `id`.")]
    usage = models.usage.to_json()
    assert (usage["fallbacks"], usage["errors"]) == (1, {"ReviseDescription": 1})
    assert usage["tokens_in"] > 0
    [event] = [event for event in told if isinstance(event, ModelAsked)]
    assert event.error
    assert event.attempts == usage["calls"] == 3


def test_without_a_fallback_the_asker_is_told() -> None:
    with ChatServer([Reply("no idea")]) as server, pytest.raises(ModelError):
        asked(ModelSettings(model="openai:one", model_url=server.url), DESCRIBE, fall_back=False)


def test_a_spent_budget_is_no_error_of_the_model() -> None:
    with ChatServer(answer) as server:
        options = ModelSettings(model="openai:one", model_url=server.url, max_model_calls=1)
        found, models = asked(
            options, DESCRIBE, ReviseParameters(operation=Brief(key=KEY), original={"query:sort": ""})
        )
        assert len(server.asked) == 1
    usage = models.usage.to_json()
    assert (usage["calls"], usage["fallbacks"], usage["budget_spent"]) == (1, 0, ["--max-model-calls"])
    assert len(found) == 2


def test_a_record_knows_who_answered_which_role(tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    prompts = (SameExperience(new=EXPERIENCE, known=()), DESCRIBE)
    with ChatServer(answer) as server:
        options = ModelSettings(
            model="openai:one", model_url=server.url, model_for=("experience=openai:two",), record=str(file)
        )
        live, models = asked(options, *prompts)
    answers = Answers.open(file, write=False)
    assert {role: seat.name for role, seat in answers.seats().items()} == {
        "experience": "openai:two",
        "revise": "openai:one",
    }
    answers.close()
    again, replayed = asked(ModelSettings(model=f"recorded:{file}"), *prompts)
    assert again == live
    assert replayed.usage.to_json() == models.usage.to_json()


def test_a_replay_can_be_recorded_together_with_another_model(tmp_path: Path) -> None:
    one, both = tmp_path / "one.db", tmp_path / "both.db"
    same = SameExperience(new=EXPERIENCE, known=())
    with ChatServer(answer) as server:
        asked(ModelSettings(model="openai:one", model_url=server.url, record=str(one)), DESCRIBE)
        mixed = ModelSettings(
            model=f"recorded:{one}", model_url=server.url, model_for=("experience=openai:two",), record=str(both)
        )
        live, _ = asked(mixed, DESCRIBE, same)
    again, _ = asked(ModelSettings(model=f"recorded:{both}"), DESCRIBE, same)
    assert again == live


def test_a_file_is_not_replayed_and_recorded_at_once(tmp_path: Path) -> None:
    Answers.open(tmp_path / "kept.db", write=True).close()
    with pytest.raises(UsageError, match="record into another"):
        asked(ModelSettings(model=f"recorded:{tmp_path}/kept.db", record=f"{tmp_path}/kept.db"))
