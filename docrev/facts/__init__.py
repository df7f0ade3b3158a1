"""Facts: what the calls show of an operation, shown once more before it is used."""

from docrev.facts.inference import infer
from docrev.facts.masking import is_personal, mask
from docrev.facts.registry import KINDS, shows
from docrev.facts.replays import Replayed, refuted, replay
from docrev.facts.shape import Field, Shape, format_of, shape, shapes, type_name
from docrev.facts.volatility import steady_shape, volatile, volatile_locations

__all__ = [
    "KINDS",
    "Field",
    "Replayed",
    "Shape",
    "format_of",
    "infer",
    "is_personal",
    "mask",
    "refuted",
    "replay",
    "shape",
    "shapes",
    "shows",
    "steady_shape",
    "type_name",
    "volatile",
    "volatile_locations",
]
