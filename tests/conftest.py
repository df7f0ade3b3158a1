"""For every test: no model on the network, whatever keys the machine holds; one thread for torch; rarely a search for
garbage."""

from __future__ import annotations

import gc
import os
import shutil

from hypothesis import settings

os.environ["DOCREV_NO_NETWORK_MODELS"] = "1"
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
# The processes of one run of tests know each other by it.
os.environ.setdefault("DOCREV_TEST_RUN", str(os.getpid()))

# No test fails because a machine is slow.
settings.register_profile("docrev", deadline=None)
settings.load_profile("docrev")

# Ten thousand tests and what they import live to the end: looking through them again took a sixth of the time.
gc.set_threshold(50_000)


def pytest_collection_finish() -> None:
    """Leave what was collected out of all later searches for garbage."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """Remove what the processes of a run shared, in the first of them, which ends last."""
    if os.environ["DOCREV_TEST_RUN"] == str(os.getpid()):
        from services import WHOLE

        shutil.rmtree(WHOLE, ignore_errors=True)
