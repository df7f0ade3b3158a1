"""The errors that docrev raises, and the exit code of each.

    DocrevError            4  our own trouble: a bug, unless a subclass says better
    ├── UsageError         2  wrong use of a command or a function
    │   ├── InputError     2  a file that cannot be read, or is not what it should be
    │   └── LockedError    2  a store that another process holds, or that is read-only
    ├── UnreachableError   3  the API or the model could not be reached
    │   ├── CredentialsError  3  the API or the model's server refuses the credentials, again and again
    │   └── NotRecordedError  3  a record of a model's answers that lacks the one needed
    ├── ModelError         3  a model answered, but nothing that could be used
    │   ├── AnswerError    3  an answer that cannot be used; its text can be sent back to the model
    │   └── BudgetSpent    3  what a model may cost is spent, so it was not asked
    └── StoreError         4  the evidence cannot be kept: disk full, corrupt, or of a newer version

DamageWarning is no error: what is whole of a damaged file is used.
A failed call is not an error: the response of an API, or its absence, is a value (`records.Call`).
A fault of a spec that can still be used is a value too (`spec.Finding`).
"""

from __future__ import annotations

from docrev.language.urls import without_url_secrets


class DocrevError(Exception):
    """One line for the user: where, what, and what to do about it.

    `where` is `file:line`, a JSON pointer, a URL or an option; `fix` says what to do, in the imperative. URLs are shown
    without what may be a secret in them.
    """

    exit_code = 4

    def __init__(self, what: str, *, where: str = "", fix: str = "") -> None:
        self.what, self.where, self.fix = what, where, fix
        line = without_url_secrets(f"{where}: {what}" if where else what)
        super().__init__(" ".join(f"{line}; {fix}".split()) if fix else " ".join(line.split()))


class UsageError(DocrevError):
    """Wrong use of a command or of a function."""

    exit_code = 2


class InputError(UsageError):
    """A file that is missing, unreadable, or not what it should be."""


class LockedError(UsageError):
    """A store or an output folder that cannot be written: another process uses it, or it is read-only."""


class UnreachableError(DocrevError):
    """The API or the model could not be reached."""

    exit_code = 3


class CredentialsError(UnreachableError):
    """The API, or the model's server, refuses the credentials, again and again."""


class NotRecordedError(UnreachableError):
    """A record of a model's answers lacks the one needed."""


class ModelError(DocrevError):
    """A model answered, but nothing that could be used."""

    exit_code = 3


class AnswerError(ModelError):
    """An answer of a model that cannot be used: refused, cut, no JSON, or not of the required shape.

    `what` is sent to the model to correct it; `where` names model and prompt after the last attempt.
    """


class BudgetSpent(ModelError):
    """What a model may cost is spent, so it was not asked."""


class StoreError(DocrevError):
    """The evidence cannot be kept or read: disk full, corrupt file, newer version."""


class DamageWarning(UserWarning):
    """A file is damaged: the line says what was left out, and the rest is used."""
