"""What a retriever learns from: generated requests, instruction files of every kind, hard negatives, and the score."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from docrev.errors import InputError
from docrev.records import OperationKey
from docrev.retrieval.documents import OperationText, as_words, texts_of, tool_texts
from docrev.retrieval.views import Mentions, rarity
from docrev.spec import load
from docrev.train.data.tool_listing import ToolListing
from docrev.train.operation_phrases import phrases
from docrev.train.retriever.build import enough, hard_negatives
from docrev.train.retriever.corpus import is_instructions, read_corpus
from docrev.train.retriever.ndcg import ndcg, scored
from docrev.train.retriever.requests import RetrievalRequest, make_requests

ROOT = Path(__file__).resolve().parents[2]
APIS = [
    {
        "category_name": "Music", "tool_name": "Tunes", "api_name": name, "api_description": text,
        "required_parameters": [], "optional_parameters": [], "method": "GET",
    }
    for name, text in (("getTopSongs", "Returns the best songs of a week."), ("Artist", "All about one artist."))
]  # fmt: skip
SAME_NAME = [one | {"category_name": "Sports", "tool_name": "Tunes"} for one in APIS[:1]]


def entry(text: str, *relevant: str, id: Any = 1, apis: Any = None) -> dict[str, Any]:
    return {
        "query": text,
        "query_id": id,
        "api_list": APIS if apis is None else apis,
        "relevant APIs": [["Tunes", name] for name in relevant],
    }


def write(file: Path, tree: Any) -> Path:
    file.write_text(json.dumps(tree))
    return file


def a_text(name: str, text: str = "", tool: str = "shop", category: str = "") -> OperationText:
    return OperationText(OperationKey(tool, f"GET /{name}"), category, tool, "", name, text)


def test_an_identifier_is_read_as_words() -> None:
    assert as_words("getUserOrders") == "get User Orders"
    assert as_words("/titles/{id}/crew") == "titles id crew"


def test_a_tool_is_told_with_the_names_of_all_its_operations() -> None:
    texts = [a_text("list"), a_text("buy"), a_text("tell", tool="news")]
    assert tool_texts(texts) == {"shop": "shop. list, buy", "news": "news. tell"}


def test_an_operation_is_told_with_parameters_fields_and_examples() -> None:
    texts = texts_of(load(ROOT / "specs"))
    assert all(name in text.whole for text in texts for name in text.parameters)
    assert any(text.parameters for text in texts)
    [limit] = [value for text in texts_of(load(ROOT / "tests" / "library.yaml"))[:1] for value in text.examples][:1]
    assert limit == ("limit", "10")


@pytest.mark.parametrize(
    ("told", "said", "doing"),
    [
        ("This endpoint returns the latest news of a country", "the latest news of a country", False),
        ("Generates a QR code from your text", "generate a QR code from my text", True),
        ("Allows you to delete an order", "delete an order", True),
    ],
)
def test_a_description_becomes_what_a_user_would_say(told: str, said: str, doing: bool) -> None:
    first = phrases(a_text("x", told))[0]
    assert (first.text, first.doing) == (said, doing)


def test_what_says_nothing_is_called_by_its_name() -> None:
    [phrase] = phrases(a_text("x"))
    assert phrase.text == "shop x"


def test_generated_requests_are_the_same_each_time_and_treat_operations_alike() -> None:
    texts = texts_of(load(ROOT / "specs"))
    made = make_requests(texts, 4 * len(texts), seed=3)
    assert made == make_requests(texts, 4 * len(texts), seed=3)
    assert made != make_requests(texts, 4 * len(texts), seed=4)
    counts = Counter(key for request in made for key in request.operations)
    assert set(counts) == {text.key for text in texts}
    assert min(counts.values()) >= 4
    assert {len(request.operations) for request in made} >= {1, 2, 3}
    assert all(len(set(request.operations)) == len(request.operations) for request in made)


def test_as_many_requests_are_generated_as_are_enough() -> None:
    assert [enough([a_text("x")] * size) for size in (1, 300, 16_464)] == [400, 1200, 4800]


def test_a_generated_request_of_kind_one_stays_with_one_tool() -> None:
    texts = [a_text(f"{tool}{at}", "Gives things", tool) for tool in "abc" for at in range(4)]
    made = make_requests(texts, 200)
    assert {len({key.tool for key in one.operations}) for one in made if one.group == "I1"} == {1}
    assert 2 in {len({key.tool for key in one.operations}) for one in made if one.group != "I1"}


def test_instructions_bring_their_operations(tmp_path: Path) -> None:
    rows = [entry("Best songs?", "getTopSongs"), entry("Who sings, and what?", "Artist", "getTopSongs", id=2)]
    corpus = read_corpus([write(tmp_path / "G1_some.json", rows)])
    assert [text.name for text in corpus.texts] == ["get Top Songs", "Artist"]
    assert [(len(one.operations), one.group) for one in corpus.requests] == [(1, "G1_some"), (2, "G1_some")]
    assert corpus.warnings == []


def test_what_cannot_be_used_is_left_out_and_said(tmp_path: Path) -> None:
    rows = [
        entry("Best songs?", "getTopSongs", id=7),
        entry("The same id?", "Artist", id=7),
        entry("Lyrics?", "getLyrics", id=8),
        entry("Songs and lyrics?", "getTopSongs", "getLyrics", id=9),
        entry("Nothing?", id=10),
        entry("", "Artist", id=11),
    ]
    corpus = read_corpus([write(tmp_path / "some.json", rows)])
    assert [one.text for one in corpus.requests] == ["Best songs?", "Songs and lyrics?"]
    assert len(corpus.requests[1].operations) == 1
    told = "\n".join(corpus.warnings)
    for word in ("an id that was there before", "not in the specs", "no text", "no relevant operation"):
        assert word in told
    assert all(line.startswith(str(tmp_path / "some.json")) for line in corpus.warnings)


def test_two_tools_of_one_name_are_told_apart_by_what_was_offered(tmp_path: Path) -> None:
    rows = [entry("Songs?", "getTopSongs"), entry("Matches?", "getTopSongs", id=2, apis=SAME_NAME)]
    corpus = read_corpus([write(tmp_path / "some.json", rows)])
    assert len(corpus.texts) == 3
    assert corpus.requests[0].operations != corpus.requests[1].operations


@pytest.mark.parametrize("rows", [[], [entry("Lyrics?", "getLyrics")]])
def test_a_file_that_holds_nothing_is_refused(tmp_path: Path, rows: Any) -> None:
    specs = ROOT / "specs"
    with pytest.raises(InputError, match=r"no instruction|empty list"):
        read_corpus([specs, write(tmp_path / "some.json", rows)])


def test_files_of_other_versions_are_read(tmp_path: Path) -> None:
    catalog = load(ROOT / "tests" / "library.yaml")
    book = next(iter(ToolListing(catalog).entries.values()))
    by_id = {"a": {"query": "Which books?", "gt_api_list": [[book.category, book.tool, book.api]]}}
    lines = tmp_path / "some.jsonl"
    lines.write_text(json.dumps({"new_instruction": "Some books", "path": [[book.tool, book.api]]}) + "\n")
    files = [write(tmp_path / "any.json", by_id), lines]
    assert all(map(is_instructions, files))
    corpus = read_corpus([ROOT / "tests" / "library.yaml", *files])
    assert [(one.text, one.operations) for one in corpus.requests] == [
        ("Which books?", (book.key,)), ("Some books", (book.key,)),
    ]  # fmt: skip


def test_specs_are_no_instructions(tmp_path: Path) -> None:
    assert not is_instructions(write(tmp_path / "a.json", {"openapi": "3.1.0", "x": {"query": "?"}}))
    assert not is_instructions(ROOT / "specs")
    (tmp_path / "b.json").write_text("{")
    assert not is_instructions(tmp_path / "b.json")


def test_of_a_held_out_file_only_the_operations_are_known(tmp_path: Path) -> None:
    train = write(tmp_path / "train.json", [entry("Songs?", "getTopSongs"), entry("Both?", "Artist", id=2)])
    test = write(tmp_path / "test.json", [entry("Both?", "Artist"), entry("Matches?", "getTopSongs", id=2,
                                                                          apis=SAME_NAME)])  # fmt: skip
    corpus = read_corpus([train], [test])
    assert [one.text for one in corpus.requests] == ["Songs?"]
    assert [one.text for one in corpus.tests] == ["Both?", "Matches?"]
    assert {key for one in corpus.tests for key in one.operations} <= {text.key for text in corpus.texts}
    assert any("tests too" in line for line in corpus.warnings)


def test_hard_negatives_are_near_and_never_relevant() -> None:
    np = pytest.importorskip("numpy")
    texts = [a_text("right"), a_text("near"), a_text("right", tool="copy"), a_text("nearer"), *map(a_text, "pqrst")]
    request = RetrievalRequest("?", (texts[0].key,))
    scores = np.array([[10, 5, 8, 9.8, 4, 3, 2, 1, 0]], dtype="float32")
    for seed in range(20):
        [found] = hard_negatives([request], texts, scores, count=3, seed=seed)
        # 0 is relevant, 2 reads the same, 3 scores as high as what is relevant.
        assert not set(found) & {0, 2, 3}
        assert len(found) == len(set(found)) == 3
    deep = np.concatenate([scores, -np.arange(60, dtype="float32")[None]], axis=1)
    many = [*texts, *(a_text(f"far{at}") for at in range(60))]
    [found] = hard_negatives([request], many, deep, count=30)
    assert max(found) < 40


def test_names_that_are_mentioned() -> None:
    pytest.importorskip("numpy")
    names = ["Movie Data Base", "Movie Quotes", "Movie Data Base", "Go"]
    mentions = Mentions(names, rarity(["movie data base", "movie quotes", "movie news", "go on"]))
    share = mentions.share("Quotes of a movie, please").tolist()
    assert share[1] == pytest.approx(1)
    assert 0 < share[0] == share[2] < 0.5
    assert mentions.whole("I go to the movie data base.").tolist() == [1, 0, 1, 0]


def test_ndcg_by_hand() -> None:
    """ToolLLM §3.2: a retriever is measured by NDCG."""
    keys = [OperationKey("t", name) for name in "abcdef"]
    assert ndcg(keys, keys[:2], 5) == 1
    assert ndcg(keys, [keys[1]], 1) == 0
    assert ndcg(keys, [keys[1]], 3) == pytest.approx(1 / math.log2(3))
    assert ndcg(keys, [keys[0], keys[2]], 5) == pytest.approx(1.5 / (1 + 1 / math.log2(3)))
    assert ndcg(keys, keys, 1) == 1
    with pytest.raises(ValueError, match="nothing is relevant"):
        ndcg(keys, [], 5)


def test_scores_are_told_by_group_and_over_all() -> None:
    np = pytest.importorskip("numpy")
    texts = [a_text("p"), a_text("q")]
    requests = [RetrievalRequest("1", (texts[0].key,), "x"), RetrievalRequest("2", (texts[0].key,), "y")]
    found = scored(requests, texts, np.array([[2, 1], [1, 2]], dtype="float32"))
    assert [(one.group, one.requests, one.ndcg[0]) for one in found] == [("x", 1, 1), ("y", 1, 0), ("all", 2, 0.5)]
    assert found[2].intervals[0] == (0, 1)
    assert "100.0 [100.0, 100.0]" in found[0].to_text()
