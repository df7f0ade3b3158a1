"""Which language models answer, and what that may cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationError, WrapValidator
from pydantic_core.core_schema import ValidatorFunctionWrapHandler

from docrev.errors import UsageError
from docrev.settings.base import Flag, PathText, Settings, Texts

OFFLINE = "offline"
ROLES = ("agent", "call", "experience", "judge", "parse", "plan", "rate", "revise", "scenario")
"""The roles of all prompts; `agent` is that of the runners' prompts."""
REVISION_ROLES = ("revise",)
EXPLORATION_ROLES = tuple(role for role in ROLES if role not in ("agent", "rate", "revise"))


def read_roles(given: Iterable[str]) -> dict[str, str]:
    """Role → model, of texts such as `judge=openai:gpt-x,plan=offline`. Raises UsageError."""
    found: dict[str, str] = {}
    for part in (part.strip() for text in given for part in text.split(",")):
        role, equals, model = (word.strip() for word in part.partition("="))
        if not equals or not model:
            raise UsageError(f"not a role with its model: {part}", where="--model-for", fix="write ROLE=MODEL")
        if role not in ROLES:
            raise UsageError(f"no role {role}", where="--model-for", fix=f"one of {', '.join(ROLES)}")
        if found.setdefault(role, model) != model:
            fix = f"choose {found[role]} or {model}"
            raise UsageError(f"{role} is given to two models", where="--model-for", fix=fix)
        _check_model(model)
    return found


def _check_model(name: str) -> str:
    kind, _, which = name.partition(":")
    if name != OFFLINE and not (kind in ("openai", "local", "recorded") and which):
        fix = "use offline, openai:NAME, local:PATH or recorded:FILE"
        raise UsageError(f"no model {name}", where="--model", fix=fix)
    return name


def _check_roles(given: tuple[str, ...]) -> tuple[str, ...]:
    read_roles(given)
    return given


Prices = Mapping[str, Mapping[Literal["in", "out"], Annotated[float, Field(ge=0, allow_inf_nan=False)]]]
"""By model, what a million tokens cost: into the model and out of it."""


def _check_prices(value: object, check: ValidatorFunctionWrapHandler) -> Prices | None:
    try:
        prices: Prices | None = check(value)
    except ValidationError as error:
        location = error.errors()[0]["loc"]
        raise _no_price(location[0] if location else value) from None
    for model, price in (prices or {}).items():
        if len(price) < 2:
            raise _no_price(model)
    return prices


def _no_price(what: object) -> UsageError:
    fix = 'write "openai:NAME" = {in = 2.5, out = 10}'
    return UsageError(f"not the price of a million tokens: {what}", where="prices", fix=fix)


class ModelSettings(Settings):
    """Which models to ask, and what that may cost. A cost is in the currency of the prices."""

    model: Annotated[
        str,
        AfterValidator(_check_model),
        Field(description="Model that plans, judges and writes: offline, openai:NAME, local:PATH or recorded:FILE."),
    ] = OFFLINE
    model_url: Annotated[
        str | None,
        Field(description="URL of the server of an openai: model; by default OpenAI's own."),
        Flag(metavar="URL"),
    ] = None
    model_for: Annotated[
        Texts,
        AfterValidator(_check_roles),
        Field(description="Ask another model in one role, as judge=openai:NAME; may be repeated."),
        Flag(metavar="ROLE=MODEL"),
    ] = ()
    templates: Annotated[
        PathText | None,
        Field(description="Folder of prompt templates that replace docrev's own, one by one."),
        Flag(metavar="DIR"),
    ] = None
    temperature: Annotated[
        float, Field(ge=0, le=2, description="Sampling temperature of the models."), Flag(metavar="T")
    ] = 0.0
    record: Annotated[
        PathText | None,
        Field(description="Record the models' answers in FILE, for --model recorded:FILE."),
        Flag(metavar="FILE"),
    ] = None
    no_model_cache: Annotated[bool, Field(description="Ask again what a model has answered before.")] = False
    max_model_calls: Annotated[
        int | None, Field(ge=0, description="Maximum number of model answers; unlimited by default."), Flag(metavar="N")
    ] = None
    max_tokens: Annotated[
        int | None,
        Field(ge=0, description="Maximum number of tokens sent to and received from models; unlimited by default."),
        Flag(metavar="N"),
    ] = None
    max_cost: Annotated[
        float | None,
        Field(ge=0, description="Maximum cost of models, by the prices in docrev.toml; unlimited by default."),
        Flag(metavar="X"),
    ] = None
    prices: Annotated[
        Prices | None,
        WrapValidator(_check_prices),
        Field(description='Price of a million tokens by model: {"openai:NAME": {"in": 2.5, "out": 10}}.'),
        Flag(on_command_line=False),
    ] = None
    model_concurrency: Annotated[
        int, Field(ge=1, le=256, description="Maximum number of concurrent requests to a model."), Flag(metavar="N")
    ] = 8
    answer_tokens: Annotated[
        int, Field(ge=16, description="Maximum number of tokens in one answer."), Flag(metavar="N")
    ] = 2048
    model_timeout: Annotated[
        float, Field(ge=0.1, description="Timeout of one request to a model, in seconds."), Flag(metavar="S")
    ] = 120.0

    @property
    def roles(self) -> dict[str, str]:
        """The model of each role that has one of its own."""
        return read_roles(self.model_for)

    def asks(self, roles: Iterable[str]) -> bool:
        """Whether anything else than the offline engine answers these roles."""
        return any(self.roles.get(role, self.model) != OFFLINE for role in roles)


ModelSettings.last = frozenset(ModelSettings.model_fields)
