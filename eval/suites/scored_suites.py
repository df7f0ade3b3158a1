"""Suites that no agent runs: APIBench, whose answers lie in files, and docrev's own recovery."""

from __future__ import annotations

from pathlib import Path

from docrev.errors import UsageError
from docrev.records import Task

from .apibench_files import instruction, present
from .reading import read_lines
from .suite import Kind, Loaded


class ApiBench:
    """APIBench: answers of models, in files or asked for, scored by `docrev.eval.apibench`."""

    name = "apibench"
    title = "APIBench (TorchHub, HuggingFace, TensorHub): hallucination and accuracy of answers, by syntax trees"
    kind: Kind = "answers"
    source = "https://github.com/ShishirPatil/gorilla (Apache-2.0)"

    def load(self, data: Path | None = None, *, mended: bool = True) -> Loaded:
        """The questions; there is nothing to call, so there are no specs."""
        tasks = [
            Task(f"{files.name}-{at:03}", instruction(row))
            for files in present(data)
            for at, row in enumerate(read_lines(files.evaluation), 1)
        ]
        return Loaded(self.name, tuple(tasks))


class Recovery:
    """docrev against itself: documentation is hidden from good specs, and what is found again is counted."""

    name = "recovery"
    title = "Documentation hidden from good specs, and how much of it is found again"
    kind: Kind = "recovery"
    source = "any specs of yours that are good"

    def load(self, data: Path | None = None, *, mended: bool = True) -> Loaded:
        """Raises UsageError: it is a command of its own."""
        raise UsageError("recovery has no tasks", fix="run: docrev bench recovery SPEC --simulate")
