"""`docrev revise` with a language model, as it is typed: what is trusted stands in the diff, the rest is counted."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from chat_server import Body, ChatServer, Reply, said, wanted
from clikit import docrev
from revisekit import effects, explored


@pytest.fixture
def library(tmp_path: Path) -> Path:
    explored(tmp_path, facts=effects())
    (tmp_path / "evidence").rename(tmp_path / ".docrev")
    return tmp_path


def author(body: Body) -> Reply:
    """Describes the list of authors well at the second try, and everything else by what an API may have told it."""
    question = body["messages"][-1]["content"]
    if wanted(body) != "DocumentOperation":
        return said({"ready": True} if wanted(body) == "Ready" else {"complaints": []})
    text = "See https://evil.example/login first."
    if "The operation: library GET /authors\n" in question:
        is_second = "was refused: " in question
        text = "Lists the authors on record with `name` and `email`." if is_second else "You must call this first."
    label = re.search(r"^(c\d+|t\d+) ", question, re.M)
    labels = [label[1]] if label is not None else []
    return said({"texts": [{"location": "", "evidence": labels, "kind": "wording", "text": text}]})


def test_what_is_trusted_is_written_and_the_rest_counted(library: Path) -> None:
    with ChatServer(author) as server:
        words = ("--model", "openai:scribe", "--model-url", server.url)
        done = docrev("revise", "specs", *words, cwd=library, env={"OPENAI_API_KEY": "k"})
        assert done.code == 0, done.err
        assert "Lists the authors on record with `name` and `email`." in done.out
        assert "evil.example" not in done.out
        assert "1 text of the model kept (1 at the second try), " in done.err
        assert "; refused: instruction 1, link " in done.err

        rows = docrev("revise", "specs", *words, "--json", cwd=library, env={"OPENAI_API_KEY": "k"}).lines
        trust = rows[-1]["trust"]
        assert trust["mended"] == trust["instruction"] == 1
        assert trust["link"] == 2 * trust["replaced"] > 0
        assert "evil.example" not in json.dumps(rows)


def test_a_users_templates_are_asked_with(library: Path) -> None:
    (library / "mine" / "prompts").mkdir(parents=True)
    (library / "mine" / "prompts" / "document_operation.j2").write_text("Describe {{ operation }} as a pirate.")
    with ChatServer([Reply('{"texts": []}')]) as server:
        words = ("--model", "openai:scribe", "--model-url", server.url, "--templates", "mine")
        done = docrev("revise", "specs", *words, cwd=library, env={"OPENAI_API_KEY": "k"})
        assert done.code == 0, done.err
        asked = [body["messages"][-1]["content"] for body in server.asked]
    assert any(text.startswith("Describe library GET /authors as a pirate.") for text in asked)
