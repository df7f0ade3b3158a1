"""What is learned of a conversation, token by token, and where one that is too long is cut."""

from __future__ import annotations

from typing import Any

import pytest
from tiny_model import CHAT_TEMPLATE, make

from docrev.models.tooluser.conversation_model import OWN_TEMPLATE, merge_turns
from docrev.prompts.conversation import Utterance
from docrev.train.data.conversations import Conversation
from docrev.train.toolllama.finetune import IGNORED, LabelledExample, Masker

TURNS = (
    Utterance("system", "The functions: cities"),
    Utterance("user", "Which?"),
    Utterance("assistant", "\nThought: a\nAction: cities\nAction Input: {}"),
    Utterance("function", '{"error": "", "response": "[1]"}'),
    Utterance("assistant", "\nThought: b\nAction: Finish\nAction Input: {}"),
)
CHANGING = CHAT_TEMPLATE.replace("{{ message['content'] }}", "{{ message['content'] }} of {{ messages | length }}")


@pytest.fixture(scope="module")
def tokenizers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    from transformers import AutoTokenizer

    templates = {"own": None, "chat": CHAT_TEMPLATE, "changing": CHANGING}
    load: Any = AutoTokenizer.from_pretrained
    return {name: load(make(tmp_path_factory.mktemp(name), template=template)) for name, template in templates.items()}


def learned(tokenizer: Any, example: LabelledExample) -> str:
    """The text of what is learned; `|` between pieces that do not touch."""
    assert len(example.ids) == len(example.labels)
    found: list[list[int]] = [[]]
    for token, label in zip(example.ids, example.labels, strict=True):
        assert label in (IGNORED, token)
        if label != IGNORED:
            found[-1].append(token)
        elif found[-1]:
            found.append([])
    return "|".join(tokenizer.decode(piece) for piece in found if piece)


def one(masker: Masker, turns: tuple[Utterance, ...] = TURNS) -> LabelledExample:
    [example] = masker.examples([Conversation("c", turns)])
    return example


def test_every_token_of_the_assistants_turns_is_learned_and_no_other(tokenizers: dict[str, Any]) -> None:
    """ToolLLM §3.1: multi-round conversations, of which what the assistant says is learned."""
    tokenizer = tokenizers["own"]
    example = one(Masker(tokenizer, 4096))
    assert learned(tokenizer, example) == f"{TURNS[2].text}</s>|{TURNS[4].text}</s>"
    assert tokenizer.decode(example.ids) == (
        f"<s>System: {TURNS[0].text}\nUser: {TURNS[1].text}\nAssistant:{TURNS[2].text}</s>\n"
        f"Function: {TURNS[3].text}\nAssistant:{TURNS[4].text}</s>\n"
    )


def test_by_a_chat_template_the_same_is_learned(tokenizers: dict[str, Any]) -> None:
    tokenizer = tokenizers["chat"]
    example = one(Masker(tokenizer, 4096))
    told = merge_turns(TURNS)
    assert [each["role"] for each in told] == ["system", "user", "assistant", "user", "assistant"]
    assert tokenizer.decode(example.ids) == tokenizer.apply_chat_template(told, tokenize=False)
    assert learned(tokenizer, example) == f"{told[2]['content']}</s>\n|{told[4]['content']}</s>\n"


def test_the_last_turn_alone(tokenizers: dict[str, Any]) -> None:
    for name in ("own", "chat"):
        whole, last = one(Masker(tokenizers[name], 4096)), one(Masker(tokenizers[name], 4096, last_only=True))
        assert last.ids == whole.ids
        text = learned(tokenizers[name], last)
        assert "Finish" in text
        assert "cities" not in text


def test_a_template_that_changes_earlier_turns_is_not_used(tokenizers: dict[str, Any]) -> None:
    masker = Masker(tokenizers["changing"], 4096)
    assert one(masker).ids == one(Masker(tokenizers["own"], 4096)).ids
    assert masker.plain


def test_what_is_asked_is_what_was_trained(tokenizers: dict[str, Any]) -> None:
    """The prompt of the first turn, by the template that is written beside the weights, begins the example."""
    tokenizer = tokenizers["own"]
    asked = [{"role": turn.speaker, "content": turn.text} for turn in TURNS[:2]]
    text = tokenizer.apply_chat_template(asked, tokenize=False, add_generation_prompt=True, chat_template=OWN_TEMPLATE)
    ids = tuple(tokenizer(text, add_special_tokens=False)["input_ids"])
    example = one(Masker(tokenizer, 4096))
    assert example.ids[: len(ids)] == ids
    assert example.labels[len(ids)] != IGNORED
    assert set(example.labels[: len(ids)]) == {IGNORED}


def test_what_is_too_long_is_cut_at_a_turn_or_left_out(tokenizers: dict[str, Any]) -> None:
    tokenizer = tokenizers["own"]
    whole, short = one(Masker(tokenizer, 4096)), one(Masker(tokenizer, 4096), TURNS[:3])
    fits = Masker(tokenizer, len(whole.ids))
    assert one(fits) == whole
    assert (fits.cut, fits.dropped) == (0, 0)
    cut = Masker(tokenizer, len(whole.ids) - 1)
    assert one(cut) == short
    assert (cut.cut, cut.dropped) == (1, 0)
    none = Masker(tokenizer, len(short.ids) - 1)
    assert list(none.examples([Conversation("c", TURNS), Conversation("d", TURNS[:2])])) == []
    assert none.dropped == 2


def test_what_the_assistant_does_not_end_is_not_counted_as_cut(tokenizers: dict[str, Any]) -> None:
    masker = Masker(tokenizers["own"], 4096)
    assert one(masker, TURNS[:4]) == one(masker, TURNS[:3])
    assert masker.cut == 0
