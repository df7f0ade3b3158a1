"""The offline engine: plans, judges and writes by algorithm; no key, no network, no weights."""

from docrev.offline.model import OfflineModel

__all__ = ["OfflineModel"]
