"""Which language models answer, and what that may cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from docrev.errors import UsageError
from docrev.settings.base import PathText, Settings, Texts, setting

OFFLINE = "offline"
ROLES = ("agent", "call", "experience", "judge", "parse", "plan", "rate", "revise", "scenario")
"""The roles of all prompts; `agent` is that of the runners' prompts."""
REVISION_ROLES = ("revise",)
GUIDING_ROLES = ("plan", "scenario")
"""A model in one of these explores in docrev's own way; one that only judges, or reads, helps the searches."""
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


def _check_templates(folder: str | None) -> str | None:
    if folder is not None and not Path(folder).is_dir():
        raise UsageError(f"{folder} is no folder", where="--templates", fix="check the path")
    return folder


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

    help_order = 1

    model: Annotated[str, AfterValidator(_check_model)] = setting(
        OFFLINE, "Model that plans, judges and writes: offline, openai:NAME, local:PATH or recorded:FILE."
    )
    model_url: str | None = setting(
        None, "URL of the server of an openai: model; by default OpenAI's own.", metavar="URL"
    )
    model_for: Annotated[Texts, AfterValidator(_check_roles)] = setting(
        (), "Ask another model in one role, as judge=openai:NAME; may be repeated.", metavar="ROLE=MODEL"
    )
    templates: Annotated[PathText | None, AfterValidator(_check_templates)] = setting(
        None, "Folder of prompt templates that replace docrev's own; by default none.", metavar="DIR"
    )
    temperature: float = setting(0.0, "Sampling temperature of the models.", ge=0, le=2, metavar="T")
    record: PathText | None = setting(
        None, "Record the models' answers in FILE, for --model recorded:FILE; by default in none.", metavar="FILE"
    )
    no_model_cache: bool = setting(False, "Ask again what a model has answered before.")
    max_model_calls: int | None = setting(None, "Maximum number of model answers; unlimited by default.", ge=0)
    max_tokens: int | None = setting(
        None, "Maximum number of tokens sent to and received from models; unlimited by default.", ge=0
    )
    max_cost: float | None = setting(
        None, "Maximum cost of models, by the prices in docrev.toml; unlimited by default.", ge=0, metavar="X"
    )
    prices: Annotated[Prices | None, WrapValidator(_check_prices)] = setting(
        None, 'Price of a million tokens by model: {"openai:NAME": {"in": 2.5, "out": 10}}.', on_command_line=False
    )
    model_concurrency: int = setting(8, "Maximum number of concurrent requests to a model.", ge=1, le=256)
    answer_tokens: int = setting(2048, "Maximum number of tokens in one answer.", ge=16)
    model_timeout: float = setting(120.0, "Timeout of one request to a model, in seconds.", ge=0.1, metavar="S")

    def of_models(self) -> dict[str, Any]:
        """The values of these fields alone, by name, whatever else a command has."""
        return self.model_dump(include=set(ModelSettings.model_fields))

    @property
    def roles(self) -> dict[str, str]:
        """The model of each role that has one of its own."""
        return read_roles(self.model_for)

    def asks(self, roles: Iterable[str]) -> bool:
        """Whether anything else than the offline engine answers these roles."""
        return any(self.roles.get(role, self.model) != OFFLINE for role in roles)
