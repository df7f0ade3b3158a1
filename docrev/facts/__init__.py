"""Facts: what the calls show of an operation, shown once more before it is used."""

from docrev.facts.inference import infer
from docrev.facts.masking import mask
from docrev.facts.registry import KINDS, shows
from docrev.facts.replays import Replayed, refuted, replay
from docrev.facts.shape import Field, Shape, format_of, shape, type_name
from docrev.facts.volatility import volatile

__all__ = [
    "KINDS",
    "Field",
    "Replayed",
    "Shape",
    "format_of",
    "infer",
    "mask",
    "refuted",
    "replay",
    "shape",
    "shows",
    "type_name",
    "volatile",
]
