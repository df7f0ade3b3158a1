"""The libraries of the extra `retriever`, which may be missing and take seconds to load."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from docrev.errors import UsageError

_FIX = "pip install 'docrev[retriever]'"


def library(name: str) -> Any:
    """The module of a library. Raises UsageError with the line that installs it.

    Torch gets one thread unless OMP_NUM_THREADS says otherwise: with more, small models are several times slower on
    machines of few cores, where the threads wait for each other.
    """
    if find_spec(name) is None:
        raise UsageError(f"{name.replace('_', '-')} is not installed", fix=_FIX)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    return import_module(name)
