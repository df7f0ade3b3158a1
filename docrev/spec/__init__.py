"""Specs: documents, the catalog of their operations, findings, edits and validation.

`load` makes a `Catalog` of files and folders; nothing here knows the network.
"""

from __future__ import annotations

from docrev.spec.catalog import Catalog, load
from docrev.spec.census import Census, Count, census
from docrev.spec.document import Document
from docrev.spec.edits import Edit, Put, Remove, RenameKey
from docrev.spec.findings import Finding, Place
from docrev.spec.fix import fixed, fixes
from docrev.spec.lint import lint
from docrev.spec.meaning import MISSING
from docrev.spec.operation import Body, Operation, Parameter, Response
from docrev.spec.schema import Schema
from docrev.spec.texts import is_good_text, is_restated
from docrev.spec.validate import validate
from docrev.spec.writing import write_in_place

__all__ = [
    "MISSING",
    "Body",
    "Catalog",
    "Census",
    "Count",
    "Document",
    "Edit",
    "Finding",
    "Operation",
    "Parameter",
    "Place",
    "Put",
    "Remove",
    "RenameKey",
    "Response",
    "Schema",
    "census",
    "fixed",
    "fixes",
    "is_good_text",
    "is_restated",
    "lint",
    "load",
    "validate",
    "write_in_place",
]
