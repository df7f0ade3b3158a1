"""For every test: no model on the network, whatever keys the machine holds; one thread for torch; rarely a search for
garbage."""

from __future__ import annotations

import gc
import os

os.environ["DOCREV_NO_NETWORK_MODELS"] = "1"
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Ten thousand tests and what they import live to the end: looking through them again took a sixth of the time.
gc.set_threshold(50_000)


def pytest_collection_finish() -> None:
    """Leave what was collected out of all later searches for garbage."""
    gc.collect()
    gc.freeze()
