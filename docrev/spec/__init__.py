"""Specs: documents, the catalog of their operations, findings, edits and validation.

`load` makes a `Catalog` of files and folders; nothing here knows the network.
"""

from __future__ import annotations

from docrev.spec.catalog import Catalog, load
from docrev.spec.document import Document
from docrev.spec.findings import Finding, Place
from docrev.spec.meaning import MISSING
from docrev.spec.operation import Body, Operation, Parameter, Response
from docrev.spec.schema import Schema

__all__ = [
    "MISSING",
    "Body",
    "Catalog",
    "Document",
    "Finding",
    "Operation",
    "Parameter",
    "Place",
    "Response",
    "Schema",
    "load",
]
