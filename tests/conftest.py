"""For every test: no model on the network, whatever keys the machine holds; one thread for torch."""

from __future__ import annotations

import os

os.environ["DOCREV_NO_NETWORK_MODELS"] = "1"
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
