"""Revision: from evidence to small changes of the documents, each backed by facts and calls. Never talks to the API."""

from docrev.revision.output_files import targets, write
from docrev.revision.profiles import PROFILES, Budget, Profile, budget
from docrev.revision.revision import EditKind, Revision, arevise, revise

__all__ = ["PROFILES", "Budget", "EditKind", "Profile", "Revision", "arevise", "budget", "revise", "targets", "write"]
