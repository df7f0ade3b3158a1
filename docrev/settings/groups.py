"""The settings of exploring, revising and linting."""

from __future__ import annotations

from docrev.settings.base import SEED_HELP, Classes, PathText, Settings, Texts, setting
from docrev.settings.choices import (
    DEFAULT_WORDS,
    MAX_SPEC_SIZE,
    AgentForm,
    Edit,
    Examples,
    ExplorationMethod,
    MarksPlace,
    Method,
    ProbeOrder,
    Profile,
    Strategy,
)
from docrev.settings.models import ModelSettings


class SpecSettings(Settings):
    """How specs are read."""

    help_order = 2

    max_spec_size: int = setting(
        MAX_SPEC_SIZE, "Maximum size of a spec file.", gt=0, le=10**9 * 2**20, metavar="MB", unit=2**20
    )


class ApiSettings(Settings):
    """Where the API is, who calls it, and what may be called."""

    base_urls: Texts = setting(
        (),
        "URL to put before the paths of a spec; may be repeated, with the name of each tool.",
        name="base-url",
        metavar="[TOOL=]URL",
    )
    headers: Texts = setting(
        (),
        "Header to send, as 'Name: VALUE', 'Name: env:VARIABLE' or 'Name: file:PATH'; may be repeated. "
        "A credential is sent to one host only; name its tool if there are several hosts.",
        name="header",
        short="H",
        metavar="[TOOL=]HEADER",
    )
    allow: Texts = setting(
        (),
        "Methods to allow beside GET, as POST,DELETE: for adding things, and on what the run added. Or one operation, "
        "as 'METHOD /path': on anything that exists. May be repeated.",
        metavar="METHODS",
    )


class CallSettings(ApiSettings):
    """By which scheme callers sign in, what else may and must not be called, and how fast calls may follow."""

    auth: Texts = setting(
        (),
        "Credential for a security scheme of the spec, as 'SCHEME=env:VARIABLE' or 'SCHEME=file:PATH': a key, a token, "
        "user:password or client_id:client_secret. It is sent to its tool only. May be repeated.",
        metavar="[TOOL=]SCHEME=SOURCE",
    )
    within: Texts = setting(
        (),
        "Thing that exists, by a path parameter and its value, as tenant=main: below it, the run may add, change and "
        "act on anything by the methods that are allowed, and delete what it added. May be repeated.",
        metavar="NAME=VALUE",
    )
    deny: Texts = setting(
        (), "Never call operations, paths or operationIds that match this pattern; may be repeated.", metavar="GLOB"
    )
    concurrency: int = setting(8, "Maximum number of concurrent requests.", ge=1, le=256)
    rate: float = setting(0.0, "Maximum number of requests per second; 0 for no limit.", ge=0, metavar="R")


class ExploreSettings(CallSettings, ModelSettings, SpecSettings):
    """How to explore an API."""

    out: PathText = setting(".docrev", "Folder to keep the evidence in.", metavar="DIR")
    values: Texts = setting(
        (),
        "Value for a parameter or a member of bodies, as tenant=main, or of one operation, as 'GET /x/{id}:id=42'; "
        "tried before all others. It permits nothing by itself. May be repeated.",
        name="value",
        metavar="[OPERATION:]NAME=VALUE",
        in_file=False,
    )
    method: ExplorationMethod = setting(
        "docrev", "How to explore: docrev's own way, or scenarios, Tool-BFS and experience alone, as ToolBFS+ does."
    )
    strategy: Strategy = setting("bfs", "Search strategy for scenarios.")
    width: int | None = setting(
        None, "Children of a node in a search; by default 3 for bfs, 2 for dfsdt, 1 for react.", ge=1, le=16
    )
    depth: int = setting(8, "Maximum depth of a search, the final answer included.", ge=1, le=32)
    search_calls: int | None = setting(
        None, "Maximum number of calls for one search; by default 40, and no limit with --method toolbfs.", ge=1
    )
    compare: bool = setting(False, "Search every scenario with all strategies and compare them.")
    single_tool: bool = setting(False, "Make scenarios of one operation each (the paper's ablation).")
    max_calls: int | None = setting(None, "Maximum number of requests; by default 50 for each operation.", ge=1)
    timeout: float = setting(15.0, "Timeout of one request, in seconds.", ge=0.1, metavar="S")
    seed: int = setting(0, SEED_HELP)
    probe_order: ProbeOrder = setting(
        "poorest",
        "What to probe first: what is documented worst for the calls that it takes, or at random.",
        on_command_line=False,
        in_file=False,
    )
    fresh: bool = setting(False, "Start a new run, and keep the evidence of the old one.", in_file=False)


class CheckSettings(CallSettings, SpecSettings):
    """How to check whether documents are still true."""

    evidence: PathText | None = setting(".docrev", "Folder that docrev explore wrote its evidence to.", metavar="DIR")
    operations: Texts = setting(
        (),
        "Check only operations whose 'METHOD /path' or operationId matches this pattern; may be repeated.",
        metavar="GLOB",
    )
    since: str = setting(
        "", "Check only what changed in the specs since this revision of git; by default everything.", metavar="REF"
    )
    max_calls: int | None = setting(None, "Maximum number of requests; by default 10 for each operation.", ge=1)
    timeout: float = setting(15.0, "Timeout of one request, in seconds.", ge=0.1, metavar="S")
    seed: int = setting(0, SEED_HELP)


class InitSettings(CallSettings, SpecSettings):
    """Where an API is, and who calls it."""

    timeout: float = setting(15.0, "Timeout of the call, in seconds.", ge=0.1, metavar="S")


class ReviseSettings(ModelSettings, SpecSettings):
    """How to revise documentation."""

    evidence: PathText | None = setting(".docrev", "Folder that docrev explore wrote its evidence to.", metavar="DIR")
    edit: Edit = setting("docs", "What to change: texts alone, or also schemas and other parts of the contract.")
    links: bool = setting(False, "Also write OpenAPI links for values that other operations take.")
    method: Method = setting("docrev", "Method of revising: docrev's own, or that of a paper to compare with.")
    profile: Profile = setting("none", "Keep texts within the limits of this consumer of the documentation.")
    words: int = setting(
        DEFAULT_WORDS,
        "Maximum number of words to write for an operation, its parameters and properties included: those that are "
        "worth most to an agent.",
        ge=0,
        metavar="N",
    )
    examples: Examples = setting(
        "masked", "Observed values in texts: with personal ones masked, all as observed, or none."
    )
    only: Classes = setting((), "Write changes of this class only; may be repeated.", metavar="CLASS")
    skip: Classes = setting((), "Write no changes of this class; may be repeated.", metavar="CLASS")
    pretty: bool = setting(False, "Break JSON that stands on one line into lines, so that a diff shows what changed.")
    marks: MarksPlace = setting(
        "lock", "Where to note which texts docrev wrote: in docrev.lock beside the specs, or inside the specs."
    )


class AgentSettings(Settings):
    """How agents do tasks, and who judges them."""

    judge: str = setting("rules", "What judges the results: rules, or a model as for --model.", metavar="MODEL")
    limit: int | None = setting(None, "Do only the first N tasks; by default all.", ge=1)
    steps: int = setting(12, "Maximum number of steps on one path.", ge=1)
    max_calls: int = setting(40, "Maximum number of calls for one task.", ge=1)
    form: AgentForm = setting(
        "docrev",
        "Words of a trained tool user: docrev's, or ToolBench's own, for local weights that were released elsewhere.",
    )
    max_asks: int = setting(200, "Maximum number of questions to the model for one task.", name="asks", ge=1)
    concurrency: int = setting(8, "Maximum number of concurrent tasks.", ge=1, le=64)
    seed: int = setting(0, SEED_HELP)
    fresh: bool = setting(False, "Repeat tasks that were done before.")
