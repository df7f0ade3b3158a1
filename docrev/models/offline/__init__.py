"""The offline engine: plans, judges and writes by algorithm; no key, no network, no weights."""

from docrev.models.offline.model import OfflineModel

__all__ = ["OfflineModel"]
