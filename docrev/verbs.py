"""Packages that are verbs too: `docrev.explore(...)` works whichever part of `docrev.explore` was imported before.

Importing a sub-package binds its name in `docrev`, over any function of that name; so the package itself answers calls.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _Verb(ModuleType):
    """A package that hands calls to the function of its name in `docrev.api`."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        return getattr(import_module("docrev.api"), self.__name__.rpartition(".")[2])(*args, **options)


def make_verb(package: str) -> None:
    """Let the package, which is being imported, be called."""
    sys.modules[package].__class__ = _Verb
