"""Serving on loopback: sockets, child processes and uvicorn, for the bundled services and simulated worlds."""
