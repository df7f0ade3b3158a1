"""Files in a request of which an error says that they are of a wrong type, and files of other types in their place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docrev.calls.media import is_file, is_file_type, other_files
from docrev.calls.sample_files import named_endings
from docrev.conventions.error_claims import Hint
from docrev.conventions.error_mentions import FILES
from docrev.conventions.hint_locations import BODY, is_sent, members_of_body, name_at, schema_at, value_at
from docrev.conventions.run_names import number_of, run_name
from docrev.records import Arguments, Json
from docrev.spec import Operation

_OF_FILES = re.compile(rf"\b(?:{FILES}|extensions?|(?:mime|media|content)[ -]?types?)\b", re.I)
"""What an error mentions if a file is of a type that is not taken."""
_NO_FILE = re.compile(
    rf"\bno {FILES} (?:was |were |has been )?(?:submitted|uploaded|sent|provided|attached|selected)\b", re.I
)
"""What an error says if a file is missing."""


def files_sent(operation: Operation, arguments: Arguments) -> list[str]:
    """The locations of the files in a body, or that of the body that is one."""
    if operation.body is not None and isinstance(arguments.get(BODY), str):
        return [BODY] if is_file_type(operation.body.media_type) else []
    members = (at for at in members_of_body(operation) if is_sent(arguments, at))
    return [at for at in members if is_file(schema_at(operation, at))]


def files_refused(operation: Operation, arguments: Arguments, text: str) -> list[str]:
    """The locations of the files that an error without a name may be about: it speaks of files or of their types."""
    return files_sent(operation, arguments) if _OF_FILES.search(text) or named_endings(text) else []


def undeclared_file(operation: Operation, arguments: Arguments, location: str, hints: Sequence[Hint]) -> str:
    """A file of the run's own for a member that nothing declares, where an error says that it should be one; or ""."""
    is_wanted = any(_NO_FILE.search(hint.text) for hint in hints)
    if not is_wanted or not location.startswith(f"{BODY}/") or schema_at(operation, location) is not None:
        return ""
    ending = next(iter(named_endings(name_at(location))), "txt")
    return f"{run_name(number_of(arguments.get(BODY)))}.{ending}"


def files_instead(arguments: Arguments, location: str, hints: Sequence[Hint]) -> list[Json]:
    """The file that was sent as one of each other type: what is refused of a file is most often its type."""
    given = value_at(arguments, location)
    files = other_files(given, " ".join(hint.text for hint in hints))
    return [[file] if isinstance(given, list) else file for file in files]
