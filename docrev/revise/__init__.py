"""Revision: from evidence to small changes of the documents, each backed by facts and calls. Never talks to the API."""

from docrev.revise.profiles import PROFILES, Budget, Profile, budget
from docrev.revise.revision import EditKind, Revision, arevise, revise
from docrev.revise.writing import targets, write
from docrev.verbs import make_verb

__all__ = ["PROFILES", "Budget", "EditKind", "Profile", "Revision", "arevise", "budget", "revise", "targets", "write"]

make_verb(__name__)
