"""Simulated worlds: any spec served as one consistent service, drawn for a seed (extra `sandbox` for HTTP)."""

from docrev.sandbox.simulate.serve import serve_simulated, simulate
from docrev.sandbox.simulate.truth import Statement
from docrev.sandbox.simulate.world import Reply, World

__all__ = ["Reply", "Statement", "World", "serve_simulated", "simulate"]
