"""Revision: from evidence to small changes of the documents, each backed by facts and calls. Never talks to the API."""

from docrev.revision.output_files import targets, write
from docrev.revision.profiles import PROFILES, TextBudget, budget
from docrev.revision.revision import Revision, compose_revision

__all__ = ["PROFILES", "Revision", "TextBudget", "budget", "compose_revision", "targets", "write"]
