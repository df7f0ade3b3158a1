"""What was sent, as an error message may speak of it: names in whatever writing, and the values under them."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice

from docrev.conventions.error_claims import Hint
from docrev.conventions.error_mentions import FILES, in_words
from docrev.conventions.error_subjects import QUOTED
from docrev.conventions.error_texts import parsed
from docrev.grouping import only
from docrev.json_values.leaves import leaves
from docrev.json_values.pointer import find, last, split
from docrev.json_values.scalars import is_number
from docrev.language.words import singular_words
from docrev.records import Arguments, Json

_MAX_VALUES = 2000
_INPUT = re.compile(r"\binput_value=(?:'([^']*)'|\"([^\"]*)\"|([^\s,\]]+))[,\]]")
"""How pydantic repeats the refused value in the text of an error."""


class Sent:
    """The names and the values of what was sent."""

    def __init__(self, arguments: Arguments) -> None:
        self._arguments = arguments

    @property
    def is_known(self) -> bool:
        """Whether it is known what was sent, be it nothing but a path."""
        return bool(self._arguments)

    @cached_property
    def names(self) -> dict[tuple[str, ...], str]:
        """The names as they are written, by their words."""
        body = self._arguments.get("body:")
        # JSON-RPC calls so what holds the arguments: "Invalid params." is on any of them.
        envelope = ("params", "jsonrpc") if isinstance(body, dict) and "jsonrpc" in body else ()
        return in_words(name for name, _ in self._all if name not in envelope)

    @cached_property
    def outside_path(self) -> dict[tuple[str, ...], str]:
        """The names at the root of the body, and those of the other arguments but for the path, by their words."""
        return in_words(name for name in self.top if f"path:{name}" not in self._arguments)

    @cached_property
    def spelled(self) -> frozenset[str]:
        return frozenset(name for name, _ in self._all)

    @cached_property
    def named_alone(self) -> frozenset[str]:
        """The names that were not sent as values, too."""
        return self.spelled - self.texts

    @cached_property
    def top(self) -> frozenset[str]:
        """The names at the root of the body, and those of the other arguments."""
        body = self._arguments.get("body:")
        others = (location.partition(":")[2] for location in self._arguments)
        return frozenset({*others, *(body if isinstance(body, dict) else ())} - {""})

    @cached_property
    def texts(self) -> frozenset[str]:
        """The texts that were sent as values."""
        return frozenset(value for _, value in self._all if isinstance(value, str) and value)

    def shows(self, text: str) -> bool:
        """Whether a text was sent, as a value or as a name, whole or as its end."""
        given = (str(value) for _, value in self._all if isinstance(value, str | int | float) and value != "")
        return text in self.spelled or any(text == value or text.endswith(f".{value}") for value in given)

    @cached_property
    def _holders(self) -> dict[str, set[str]]:
        """The names under which each text or number was sent, as one of several, too."""
        found: dict[str, set[str]] = {}
        stack: list[tuple[str, Json]] = [
            (location.partition(":")[2], value) for location, value in self._arguments.items()
        ]
        for name, value in islice(iter(lambda: stack.pop() if stack else None, None), _MAX_VALUES):
            if isinstance(value, dict):
                stack.extend(value.items())
            elif isinstance(value, list):
                stack.extend((name, part) for part in value if not isinstance(part, list))
            elif isinstance(value, str | int | float) and not isinstance(value, bool) and name:
                found.setdefault(str(value), set()).add(name)
        return found

    def holder_of(self, value: str) -> str:
        """The one name under which a value was sent; "" if there is none, or several."""
        return only(self._holders.get(value, ())) or ""

    def holder_of_input(self, text: str) -> str:
        """The one name under which the value was sent that a text repeats as the input; "" if there is none."""
        repeated = _INPUT.search(text)
        return self.holder_of(next(filter(None, repeated.groups()), "")) if repeated is not None else ""

    def holder_meant(self, text: str) -> str:
        """The one name under which the value was sent that a text quotes, or ends with; "" if there are several."""
        said = {
            *re.findall(QUOTED, text),
            *re.findall(r"(?:: |\w )(\S+?)\.?$", text),
            *re.findall(r": (\S+?)[.,;]*(?=\s|$)", text),
            *re.findall(r": (.+)$", text),
        }
        found = [self._holders[value] for value in said if value in self._holders]
        return next(iter(found[0])) if len(found) == 1 and len(found[0]) == 1 else ""

    def member_meant(self, name: str, text: str) -> str:
        """The pointer of the part of the body that a text calls by a name behind that of what has it: for "column
        names", `name` in `columns`; "" if there is none.
        """
        said, called = singular_words(text), singular_words(name)
        for pointer, _ in leaves(self._arguments.get("body:")):
            *above, member = [key for key in split(pointer) if not key.isdecimal()] or [""]
            parts = (*singular_words(above[-1]), *called) if above and singular_words(member) == called else ()
            if parts and any(said[at : at + len(parts)] == parts for at in range(len(said))):
                return pointer
        return ""

    def file_meant(self, text: str) -> str:
        """The one sent name of a file, for a text that speaks of one: `Invalid image` where `upload` was sent."""
        files = [name for parts, name in self.names.items() if re.fullmatch(FILES, parts[-1])]
        return files[0] if len(files) == 1 and re.search(rf"\b{FILES}\b", text, re.I) else ""

    @cached_property
    def has_numbers_alone(self) -> bool:
        """Whether a number was sent, and no array whose items could be counted."""
        values = [value for _, value in self._all]
        numbers = any(is_number(value) or re.fullmatch(r"-?\d{1,9}", str(value)) for value in values)
        return numbers and not any(
            isinstance(value, list) for value in values if value is not self._arguments.get("path:")
        )

    @cached_property
    def _all(self) -> list[tuple[str, Json]]:
        """(name, value) of all that was sent; items of arrays have no names."""
        found: list[tuple[str, Json]] = []
        stack: list[tuple[str, Json]] = [
            (location.partition(":")[2], value) for location, value in self._arguments.items()
        ]
        while stack and len(found) < _MAX_VALUES:
            name, value = stack.pop()
            found.append((name, value))
            if isinstance(value, str) and isinstance(inner := parsed(value), dict):
                # A parameter of the query may be an object in JSON.
                stack.extend(inner.items())
            if isinstance(value, dict):
                stack.extend(value.items())
            elif isinstance(value, list):
                stack.extend(("", part) for part in value)
        return found

    def value_of(self, hint: Hint) -> Json:
        """The value that a hint points at, or else the one under its name; None if there is none, or several."""
        is_there, value = find(self._arguments.get("body:"), hint.pointer)
        if is_there and hint.name and not last(hint.pointer).isdecimal():
            return value
        named = [value for name, value in self._all if name == hint.name] if hint.name else []
        return only(named)
