"""Finding operations by what is asked for: documents of operations, BM25, sentence embeddings, both, and training them.

    open_retriever(catalog, method=, model=, url=, cache=, notice=) -> Retriever
    Retriever.top(text, k, keys) -> list[OperationKey]; Retriever.search(text, k, keys) -> list[Hit]

`making.make_retriever(texts, requests, plan) -> Made` trains one; `instructions.read_corpus(paths, tests)` reads for it
(extra `[retriever]`: bm25s, sentence-transformers). Nothing heavy is loaded before the first search.
"""

from docrev.train.retriever.retriever import METHODS, Hit, Method, Retriever, open_retriever

__all__ = ["METHODS", "Hit", "Method", "Retriever", "open_retriever"]
