"""`default`: what a parameter or a request property is taken to be if it is left out."""

from __future__ import annotations

from docrev.facts.fact_values import Literal
from docrev.facts.kind import Kind

KIND = Kind("default", Literal, about=frozenset(["parameter", "property"]), effect="default")
