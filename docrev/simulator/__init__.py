"""Simulated worlds: any spec served as one consistent service, drawn for a seed (extra `sandbox` for HTTP)."""

from docrev.simulator.serve import serve_simulated, simulate
from docrev.simulator.truth import Statement
from docrev.simulator.world import Reply, World

__all__ = ["Reply", "Statement", "World", "serve_simulated", "simulate"]
