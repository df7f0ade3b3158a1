"""How long a test waits for what should come: a guard against hanging alone, which no slow or busy machine meets."""

from __future__ import annotations

HANGS = 600.0
"""Seconds after which a process, a server or a condition is taken to hang; pytest's own limit is above it."""
