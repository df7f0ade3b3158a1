"""The texts that a creation sent, and what carries them afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from docrev.conventions.run_names import carries_made_up, is_invented, is_made_up
from docrev.json_values.leaves import leaves
from docrev.records import Json


def repeats(sent: Json, item: object) -> bool:
    """Whether an item contains every text that a creation sent; a name of the run if it sent none."""
    texts = _texts_of(sent)
    return texts <= set(_texts(item)) if texts else carries_made_up(item)


def echoes(sent: Json, item: object) -> bool:
    """Whether an item carries a text that this creation sent, and that docrev invented."""
    return not _texts_of(sent, is_invented).isdisjoint(_texts(item))


def carries(names: set[str], item: object) -> bool:
    """Whether an item carries one of these names."""
    return not names.isdisjoint(_texts(item))


def carries_sent(sent: Json, item: object) -> bool:
    """Whether an item carries a value that this creation sent, and that the run made up."""
    names = sent_names(sent)
    return carries(names, item) if names else carries_made_up(item)


def sent_names(sent: Json) -> set[str]:
    """The names that the run made up for what it makes."""
    return _texts_of(sent, is_made_up)


def _texts_of(sent: Json, ours: Callable[[Json], bool] = lambda text: True) -> set[str]:
    """The texts in the body of a creation, as far as they are `ours`."""
    return {text for text in _texts(sent) if ours(text)}


def _texts(value: Json) -> Iterator[str]:
    return (text for _, text in leaves(value) if isinstance(text, str))
