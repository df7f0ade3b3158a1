"""Deterministic metrics: pure functions of tasks and trajectories."""
