"""Training a retriever: requests, hard negatives, the model, and the weights that fuse it with BM25.

`build.make_retriever(texts, requests, plan) -> Made` trains one; `instructions.read_corpus(paths, tests)` reads for it.
"""
