"""English words that say nothing of what a text is about."""

from __future__ import annotations

from docrev.language.words import word_set

FUNCTION_WORDS = word_set(
    "a also an and are as at be been but by can could did do does each for from had has have if in is it of on or "
    "please should than that the there this to was were what which will with would you your"
)
"""Words that hold a sentence together."""
OF_REQUESTS = FUNCTION_WORDS | word_set(
    "about am any api d find get give he her his how i into its know let like ll make me more my need our s she so "
    "some t tell their them then these they those us use ve want we who"
)
"""Those, and how people ask for something, with what is left of a word at its apostrophe."""
