"""Overlays and their actions: read from files, and written."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from docrev.errors import InputError
from docrev.json_values.containers import mapping
from docrev.language.characters import escaped
from docrev.records import Json
from docrev.spec.document import Document
from docrev.spec.formats.imported import yaml_text
from docrev.spec.meaning import MISSING

_VERSION = re.compile(r"1\.[01]\.\d+")


@dataclass(frozen=True, slots=True)
class OverlayAction:
    """One action (Overlay 1.0.0 §4.4.3): an `update` of what `target` selects, its removal, or a copy of another value.

    `extension` is what docrev says of it under `x-docrev`; {} if somebody else wrote it. `where` is `file:line`.
    """

    target: str
    update: Json = MISSING
    remove: bool = False
    copy: str = ""
    description: str = ""
    extension: dict[str, Json] = field(default_factory=dict)
    where: str = ""

    def to_json(self) -> dict[str, Json]:
        """The action as it stands in an overlay."""
        members = {"target": self.target, "description": self.description, "copy": self.copy}
        shown: dict[str, Json] = {name: value for name, value in members.items() if value}
        if self.update is not MISSING:
            shown["update"] = self.update
        if self.remove:
            shown["remove"] = True
        return shown | ({"x-docrev": self.extension} if self.extension else {})


@dataclass(frozen=True, slots=True)
class Overlay:
    """An overlay: its `title` and `version`, the document that it `extends` if it says so, and its actions in order."""

    title: str
    version: str
    actions: tuple[OverlayAction, ...]
    extends: str = ""

    def to_text(self, *, as_json: bool = False) -> str:
        """The overlay as YAML, or as JSON, with what would steer a terminal written out.

        It is of version 1.0.0: nothing in it needs a later one.
        """
        tree: dict[str, Json] = {"overlay": "1.0.0", "info": {"title": self.title, "version": self.version}}
        if self.extends:
            tree["extends"] = self.extends
        tree["actions"] = [action.to_json() for action in self.actions]
        return escaped(json.dumps(tree, indent=2, ensure_ascii=False)) + "\n" if as_json else yaml_text(tree)


def read_overlay(path: Path | str) -> Overlay:
    """The overlay in a file. Raises InputError with `file:line` if it is none, or cannot be understood."""
    document = Document.read(path)
    tree = document.tree
    version = tree.get("overlay") if isinstance(tree, dict) else None
    if not isinstance(version, str):
        raise InputError("this is not an overlay", where=document.name, fix="name a file with `overlay: 1.0.0`")
    if not _VERSION.fullmatch(version):
        raise _fault(document, "/overlay", f"overlays of version {version[:20]} are not known", "use 1.0.0 or 1.1.0")
    info, actions = tree.get("info"), tree.get("actions")
    if not isinstance(actions, list) or not actions:
        raise _fault(document, "/actions", "an overlay has a list of actions", "add one")
    named = mapping(info)
    return Overlay(
        title=str(named.get("title", "")),
        version=str(named.get("version", "")),
        actions=tuple(_action(document, place, action) for place, action in enumerate(actions)),
        extends=str(tree.get("extends") or ""),
    )


def overlaid_spec(path: Path | str) -> Path:
    """The file that an overlay extends, beside it or by an absolute path. Raises InputError if it names none."""
    extends = read_overlay(path).extends.removeprefix("file://")
    if not extends or "://" in extends:
        raise InputError("the overlay names no spec on this machine", where=str(path), fix="name the spec")
    return Path(path).parent / extends


def _action(document: Document, place: int, action: Json) -> OverlayAction:
    pointer = f"/actions/{place}"
    if not isinstance(action, dict) or not isinstance(action.get("target"), str):
        raise _fault(document, pointer, "an action has a target", "add one, as $.info")
    remove, copy, extension = action.get("remove", False), action.get("copy", ""), action.get("x-docrev")
    if not isinstance(remove, bool) or not isinstance(copy, str):
        raise _fault(document, pointer, "remove is true or false, and copy a path", "correct it")
    if not remove and not copy and "update" not in action:
        raise _fault(document, pointer, "an action has an update, or `remove: true`", "add one")
    return OverlayAction(
        target=action["target"],
        update=action.get("update", MISSING),
        remove=remove,
        copy=copy,
        description=str(action.get("description", "")),
        extension=mapping(extension),
        where=document.where(pointer),
    )


def _fault(document: Document, pointer: str, what: str, fix: str) -> InputError:
    return InputError(what, where=document.where(pointer), fix=fix)
