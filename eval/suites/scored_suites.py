"""Suites that no agent runs: APIBench, whose answers lie in files, and docrev's own recovery."""

from __future__ import annotations

from pathlib import Path

from docrev.errors import UsageError
from docrev.records import Task

from .reading import find, read_lines
from .suite import Kind, Loaded


class ApiBench:
    """APIBench, TorchHub part: answers of models in files, scored by `docrev.eval.apibench`."""

    name = "apibench"
    title = "APIBench (TorchHub): hallucination and accuracy of answers in files, by syntax trees"
    kind: Kind = "answers"
    source = "https://github.com/ShishirPatil/gorilla (Apache-2.0)"

    def load(self, data: Path | None = None, *, mended: bool = True) -> Loaded:
        """The questions; there is nothing to call, so there are no specs."""
        rows = read_lines(find(data, "torchhub_eval.json", self.name))
        texts = [str(row.get("code", "")).partition("###Output")[0].removeprefix("###Instruction:") for row in rows]
        return Loaded(self.name, tuple(Task(f"torchhub-{at:03}", text.strip()) for at, text in enumerate(texts, 1)))


class Recovery:
    """docrev against itself: documentation is hidden from good specs, and what is found again is counted."""

    name = "recovery"
    title = "Documentation hidden from good specs, and how much of it is found again"
    kind: Kind = "recovery"
    source = "any specs of yours that are good"

    def load(self, data: Path | None = None, *, mended: bool = True) -> Loaded:
        """Raises UsageError: it is a command of its own."""
        raise UsageError("recovery has no tasks", fix="run: docrev bench recovery SPEC --simulate")
