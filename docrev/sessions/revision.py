"""A revision put together: loaded specs, the evidence, and the models that write."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from docrev.errors import UsageError
from docrev.events import Handler, ignore
from docrev.evidence import Evidence
from docrev.models.concurrent_questions import unlimited
from docrev.revision import Revision, compose_revision, targets, write
from docrev.revision.baselines import draft, easytool
from docrev.revision.purposes import OfflineWriter
from docrev.revision.selection import NOTHING_CHOSEN, UnwantedOffers
from docrev.revision.toolbfs import toolbfs
from docrev.settings.groups import ReviseSettings
from docrev.settings.models import REVISION_ROLES
from docrev.spec import Catalog
from docrev.storage.atomic import write_files

if TYPE_CHECKING:
    from docrev.models.opening import OpenModel
    from docrev.spec.overlays import Overlay


async def revise(
    catalog: Catalog,
    settings: ReviseSettings,
    *,
    choice: UnwantedOffers = NOTHING_CHOSEN,
    on_event: Handler = ignore,
    experience: bool = True,
) -> Revision:
    """Revise specs that are loaded already; nothing is written. Raises DocrevError and its kinds.

    `choice` is what a person did not accept of an earlier one; `experience` False writes as if no wrong choice had
    been seen.
    """
    compose = partial(_revised, catalog, settings=settings, choice=choice, experience=experience, on_event=on_event)
    revision = await _opened(settings, compose, on_event)
    if not settings.pretty:
        return revision
    return replace(revision, documents={name: found.broken_into_lines() for name, found in revision.documents.items()})


async def _opened(settings: ReviseSettings, compose: Callable[..., Awaitable[Revision]], on_event: Handler) -> Revision:
    """The revision, with the evidence and the models opened for it."""
    # EasyTool's method reads documents only: there need be no evidence.
    folder = Path(settings.evidence) if settings.evidence is not None and settings.method != "easytool" else None
    with ExitStack() as stack:
        store = stack.enter_context(Evidence.open(folder, write=False)) if folder is not None else None
        if not settings.asks(REVISION_ROLES):
            return await compose(store, None)
        # Only now: most revisions ask no model, and write no overlay.
        from docrev.models.opening import checked_models

        opened = checked_models(settings, REVISION_ROLES, offline=OfflineWriter(), folder=folder, emit=on_event)
        async with opened as models:
            revision = await compose(store, models)
            return replace(revision, model=models.usage.to_json())


async def _revised(
    catalog: Catalog,
    store: Evidence | None,
    models: OpenModel | None,
    *,
    settings: ReviseSettings,
    choice: UnwantedOffers,
    experience: bool,
    on_event: Handler,
) -> Revision:
    if settings.method == "easytool":
        return await easytool(catalog, models)
    if store is None:
        raise UsageError(f"the method {settings.method} needs evidence", fix="run docrev explore first")
    if settings.method == "toolbfs":
        return await toolbfs(catalog, store, models)
    if settings.method == "draft":
        return await draft(catalog, store, models)
    return await compose_revision(
        catalog,
        store,
        settings,
        model=models,
        split=models.budgets.split if models is not None else unlimited,
        choice=choice,
        experience=experience,
        on_event=on_event,
    )


def write_revision(
    catalog: Catalog, revision: Revision, specs: Sequence[str | Path], folder: str | Path | None
) -> list[Path]:
    """Write revised documents over the specs, or into a `folder`; returns the files that were written."""
    places = targets(catalog.documents, specs, folder)
    return write((revision.documents[name], path) for name, path in places.items())


def write_overlays(catalog: Catalog, revision: Revision, place: Path) -> list[Path]:
    """Write the revision as overlays: to the file `place`, or one for each document that changes into that folder.

    Returns the paths written; none if nothing changes. Raises UsageError if several documents change and `place` is a
    file (`.yaml`, `.yml`, `.json`), and what `docrev.storage.atomic` raises.
    """
    from docrev.spec.overlays import overlay_of

    is_file = place.suffix in (".yaml", ".yml", ".json") and not place.is_dir()
    overlays: dict[Path, Overlay] = {}
    for name, document in catalog.documents.items():
        file = place if is_file else place / f"{Path(name).stem}.overlay.yaml"
        extends = os.path.relpath(document.path.resolve(), file.parent.resolve()) if document.path else ""
        changes = [change for change in revision.changes if change.file == name]
        overlay = overlay_of(document, revision.documents[name], changes, extends=Path(extends).as_posix())
        if overlay is not None and file in overlays:
            raise UsageError("an overlay is of one file, and several change", where=str(place), fix="name a folder")
        if overlay is not None:
            overlays[file] = overlay
    contents = ((file, one.to_text(as_json=file.suffix == ".json").encode()) for file, one in overlays.items())
    write_files(contents)
    return list(overlays)
