"""Calls: what may be sent, how it is sent, and what comes back redacted.

`Executor` sends; `Policy` judges; the `Journal` knows what this run created. Nothing here knows a strategy.
"""
