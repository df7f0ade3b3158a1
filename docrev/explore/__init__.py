"""Exploration: survey, scenarios, experience, and the program that puts them in order."""

from docrev.verbs import make_verb

make_verb(__name__)
