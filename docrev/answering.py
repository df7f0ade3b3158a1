"""Which models answer the questions of a command, and a revision with them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from docrev import revision as revising
from docrev.config import ModelOptions, Settings
from docrev.errors import UsageError
from docrev.events import Handler, ignore
from docrev.evidence import Evidence
from docrev.models.concurrent_questions import boundless
from docrev.models.opening import OpenModel, asks_models, check_options, open_model
from docrev.models.roles import ROLES
from docrev.records import Json
from docrev.revision import Revision
from docrev.revision.baselines import Method, draft, easytool
from docrev.revision.purposes import Writer
from docrev.spec import Catalog

WRITING = ("revise",)
EXPLORING = tuple(role for role in ROLES if role not in ("agent", "rate", "revise"))
"""The roles that revising and exploring ask."""
_LISTS = ("base_urls", "headers", "allow", "deny", "model_for")
_BOUNDS = {"max_model_calls": "--max-model-calls", "max_tokens": "--max-tokens", "max_cost": "--max-cost"}


async def revise_catalog(
    catalog: Catalog,
    evidence: str | Path | None,
    *,
    method: Method = "docrev",
    on_event: Handler = ignore,
    **options: Any,
) -> Revision:
    """The revision of specs that are loaded already, by the options of `docrev.revision`; nothing is written.

    `evidence` may be None for EasyTool's method, which reads documents only; the other methods take none of docrev's
    own options but the models'.
    """
    names = {field.name for field in fields(ModelOptions)}
    asking = ModelOptions(**tuples({name: options.pop(name) for name in names & set(options)}))
    check_options(asking)
    with ExitStack() as stack:
        store = None if evidence is None else stack.enter_context(Evidence.open(evidence, write=False))
        if not asks_models(asking, WRITING):
            return await _revised(method, catalog, store, None, options)
        folder = None if evidence is None else Path(evidence)
        models = open_model(asking, offline=Writer(), fall_back=False, folder=folder, emit=on_event)
        try:
            await models.check(WRITING)
            revision = await _revised(method, catalog, store, models, options)
            return replace(revision, model=models.usage.told())
        finally:
            await models.close()


async def _revised(
    method: Method, catalog: Catalog, store: Evidence | None, models: OpenModel | None, options: dict[str, Any]
) -> Revision:
    if method == "easytool":
        return await easytool(catalog, models)
    if store is None:
        raise UsageError(f"the method {method} needs evidence", fix="run docrev explore first")
    if method == "draft":
        return await draft(catalog, store, models)
    split = models.budgets.split if models is not None else boundless
    return await revising.arevise(catalog, store, model=models, split=split, **options)


def bounds(settings: Settings) -> dict[str, Json]:
    """What models may cost, by option: kept with a run, to see whether the same command goes on."""
    return {option: getattr(settings, name) for name, option in _BOUNDS.items()}


def more(settings: Settings, summary: Mapping[str, Json]) -> bool:
    """Whether models may cost more than when a run ended, and that was what ended it."""
    short = (summary["told"].get("model") or {}).get("budget_spent", ())
    now = bounds(settings)
    return any(now[option] is None or now[option] > summary["bounds"][option] for option in short)


def tuples(options: dict[str, Any]) -> dict[str, Any]:
    """The options; one text where several may be given is taken as the one."""
    lists = {name: value for name, value in options.items() if name in _LISTS}
    return {**options, **{name: (it,) if isinstance(it, str) else tuple(it) for name, it in lists.items()}}
