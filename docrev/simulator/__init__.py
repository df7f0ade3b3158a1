"""Simulated worlds: any spec served as one consistent service, drawn for a seed (extra `sandbox` for HTTP)."""

from docrev.simulator.serve import serve_simulated, simulate
from docrev.simulator.truth import TrueStatement
from docrev.simulator.world import World, WorldReply

__all__ = ["TrueStatement", "World", "WorldReply", "serve_simulated", "simulate"]
