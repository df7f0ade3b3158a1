"""`ignored`: no value of a parameter changes anything, nonsense included."""

from __future__ import annotations

from docrev.facts.fact_values import Holds
from docrev.facts.kind import Kind, Replay

KIND = Kind("ignored", Holds, about=frozenset(["parameter"]), replay=Replay(trials=3))
