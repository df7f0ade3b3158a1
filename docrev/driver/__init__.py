"""The driver: performs what generators of steps ask for, within a budget, and keeps everything it does."""

from __future__ import annotations

from docrev.driver.budget import Budget
from docrev.driver.driver import Driver

__all__ = ["Budget", "Driver"]
