"""Exploring beyond one process: units that have nothing in common, on workers of `dask.distributed`.

A unit is a group of tools that the graph connects, or that one host serves. Each is explored as if it were alone, with
evidence of its own; when all are done, the evidence is merged in the order of the units. What comes of it is the same
with any number of workers, whichever of them were lost.
"""
