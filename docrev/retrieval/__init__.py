"""Finding operations by what is asked for: documents of operations, BM25, sentence embeddings, and both together.

    open_retriever(catalog, method=, model=, url=, cache=, notice=) -> Retriever
    Retriever.top(text, k, keys) -> list[OperationKey]; Retriever.search(text, k, keys) -> list[Hit]

The embeddings are trained by `docrev.train.retriever` (extra `[retriever]`: bm25s, sentence-transformers). Nothing
heavy is loaded before the first search.
"""

from docrev.retrieval.retriever import METHODS, Hit, Method, Retriever, open_retriever

__all__ = ["METHODS", "Hit", "Method", "Retriever", "open_retriever"]
