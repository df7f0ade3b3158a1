"""The settings of `docrev bench` and `docrev bench recovery`. Loads nothing that runs agents."""

from __future__ import annotations

from pathlib import Path

from docrev.settings.base import SEED_HELP, Texts, setting
from docrev.settings.groups import AgentSettings, ApiSettings
from docrev.settings.models import ModelSettings


class BenchSettings(AgentSettings, ApiSettings, ModelSettings):
    """How to let agents do the tasks of a suite."""

    docs: Texts = setting(
        (),
        "Documents to compare; may be repeated, and the first is the baseline. By default original and revised.",
        metavar="NAME[=SPECS]",
    )
    against: str | None = setting(
        None,
        "Agent and documents that win rates are against, as react/original; by default the first documents.",
        metavar="AGENT/DOCS",
    )
    runners: str = setting("react", "Agents, separated by commas.", name="runner", metavar="NAMES")
    data: Path | None = setting(None, "Folder of the suite's data; by default where --fetch keeps it.", metavar="DIR")
    fetch: bool = setting(False, "First download the suite's public data into your cache, once.")
    as_published: bool = setting(False, "Do not correct the known errors in the suite's data.")
    retrieve: int | None = setting(
        None, "Give agents the K operations that a retriever finds; by default all.", ge=1, metavar="K"
    )
    retriever: str | None = setting(
        None, "Embedding model of that retriever, beside BM25; by default BM25 alone.", metavar="PATH"
    )
    compression: Path | None = setting(
        None, "Rules of docrev collect for long responses; by default none.", metavar="FILE"
    )
    out: Path = setting(Path(".docrev-bench"), "Folder to write to.", metavar="DIR")


class ToolEvalSettings(ModelSettings):
    """How to score stored predictions."""

    reference: Path | None = setting(
        None, "Predictions of the same requests to compare with; by default none.", metavar="DIR"
    )
    judge: str = setting("rules", "What judges: rules, or a model as for --model.", metavar="MODEL")
    votes: int = setting(4, "Votes on each request that has none yet.", ge=1, le=15)
    seed: int = setting(0, SEED_HELP)
    out: Path = setting(Path(".docrev-bench"), "Folder to keep a model's answers in.", metavar="DIR")


class RecoverySettings(ApiSettings):
    """How to hide documentation of good specs, and to find it again."""

    simulate: bool = setting(False, "Call simulated services that are made of the good specs.")
    kinds: str = setting("all", "Kinds of documentation to hide, separated by commas.", name="hide", metavar="KINDS")
    share: float = setting(1.0, "Share of the places to hide.", ge=0, le=1, metavar="X")
    calls: int = setting(40, "Maximum number of requests for each operation.", ge=1)
    closed: bool = setting(False, "Count what the good specs do not state as wrong: they are complete.")
    curve: bool = setting(False, "Also measure with 5, 10, 20 and 40 calls, and with probes in random order.")
    seed: int = setting(0, SEED_HELP)
    out: Path | None = setting(
        None, "Folder for recovery.json and recovery.svg; by default none is written.", metavar="DIR"
    )
