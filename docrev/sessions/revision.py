"""A revision put together: loaded specs, the evidence, and the models that write."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from docrev.errors import UsageError
from docrev.events import Handler, ignore
from docrev.evidence import Evidence
from docrev.models.concurrent_questions import unlimited
from docrev.models.opening import OpenModel, checked_models
from docrev.revision import Revision, compose_revision, targets, write
from docrev.revision.baselines import draft, easytool
from docrev.revision.purposes import OfflineWriter
from docrev.settings.groups import ReviseSettings
from docrev.settings.models import REVISION_ROLES
from docrev.spec import Catalog


async def revise(
    catalog: Catalog, settings: ReviseSettings, *, on_event: Handler = ignore, experience: bool = True
) -> Revision:
    """Revise specs that are loaded already; nothing is written. Raises DocrevError and its kinds.

    `experience` False writes as if no wrong choice had been seen.
    """
    # EasyTool's method reads documents only: there need be no evidence.
    folder = Path(settings.evidence) if settings.evidence is not None and settings.method != "easytool" else None
    with ExitStack() as stack:
        store = stack.enter_context(Evidence.open(folder, write=False)) if folder is not None else None
        if not settings.asks(REVISION_ROLES):
            return await _revised(catalog, store, None, settings, experience)
        opened = checked_models(settings, REVISION_ROLES, offline=OfflineWriter(), folder=folder, emit=on_event)
        async with opened as models:
            revision = await _revised(catalog, store, models, settings, experience)
            return replace(revision, model=models.usage.to_json())


async def _revised(
    catalog: Catalog, store: Evidence | None, models: OpenModel | None, settings: ReviseSettings, experience: bool
) -> Revision:
    if settings.method == "easytool":
        return await easytool(catalog, models)
    if store is None:
        raise UsageError(f"the method {settings.method} needs evidence", fix="run docrev explore first")
    if settings.method == "draft":
        return await draft(catalog, store, models)
    return await compose_revision(
        catalog,
        store,
        model=models,
        split=models.budgets.split if models is not None else unlimited,
        edit=settings.edit,
        examples=settings.examples,
        profile=settings.profile,
        words=settings.words,
        links=settings.links,
        experience=experience,
        marks=settings.marks,
    )


def write_revision(
    catalog: Catalog, revision: Revision, specs: Sequence[str | Path], folder: str | Path | None
) -> list[Path]:
    """Write revised documents over the specs, or into a `folder`; returns the files that were written."""
    places = targets(catalog.documents, specs, folder)
    return write((revision.documents[name], path) for name, path in places.items())
