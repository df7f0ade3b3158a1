"""Hiding documentation: a good spec without what a recovery is to find again.

Requests are hidden by place (a parameter, a body property), responses by operation; extensions (`x-…`) always go, as
they are the truth. Names of operations, paths and, unless `parameters` is hidden, of parameters stay: no call can
show a name that nobody can know.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import get_args

from docrev.errors import UsageError
from docrev.eval.statements import Hide, TextStatement
from docrev.json_values import pointer as pointers
from docrev.json_values.containers import mapping
from docrev.records import Json, OperationKey
from docrev.spec import Catalog
from docrev.spec.document import Document
from docrev.spec.keywords import METHODS

HIDES: tuple[Hide, ...] = get_args(Hide)
ALL: tuple[Hide, ...] = tuple(hide for hide in HIDES if hide != "parameters")
_TEXTS = ("description", "summary", "title", "externalDocs")
_KEYWORDS: dict[Hide, tuple[str, ...]] = {
    "descriptions": _TEXTS,
    "required": ("required",),
    "types": ("type", "format", "nullable"),
    "enums": ("enum", "const"),
    "defaults": ("default",),
    "bounds": (
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern"),
        *("minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
    ),
    "examples": ("example", "examples"),
}
_DEPTH = 12


@dataclass(frozen=True, slots=True)
class Hiding:
    """Which kinds are hidden, of which share of the places, and by which seed."""

    kinds: tuple[Hide, ...] = ALL
    share: float = 1.0
    seed: int = 0

    @classmethod
    def parse(cls, text: str, *, share: float = 1.0, seed: int = 0) -> Hiding:
        """`descriptions,types`, or `all` (of everything but names), or `all,parameters`. UsageError otherwise."""
        names = [name.strip() for name in text.split(",") if name.strip()]
        for name in names:
            if name != "all" and name not in HIDES:
                raise UsageError(f"no kind {name} to hide", where="--hide", fix=f"one of all, {', '.join(HIDES)}")
        chosen = {*(ALL if "all" in names else ()), *names}
        if not chosen:
            raise UsageError("nothing is to be hidden", where="--hide", fix=f"one of all, {', '.join(HIDES)}")
        return cls(tuple(hide for hide in HIDES if hide in chosen), share, seed)

    def hides(self, key: OperationKey, place: str, kind: Hide) -> bool:
        """Whether documentation of this kind is hidden at a place: a location, or "" for the operation itself."""
        if kind not in self.kinds:
            return False
        text = f"{self.seed} {key} {place} {kind}"
        return int(sha256(text.encode()).hexdigest()[:8], 16) < self.share * 2**32

    def hidden(self, statement: TextStatement) -> bool:
        """Whether what the statement says was hidden."""
        kind = statement.hidden_by
        place = "" if kind == "responses" else statement.location
        nameless = statement.location.startswith(("query:", "header:", "body:/"))
        return self.hides(statement.key, place, kind) or (
            nameless and self.hides(statement.key, statement.location, "parameters")
        )


def hide(catalog: Catalog, hiding: Hiding, folder: Path) -> list[Path]:
    """Write the specs of a catalog, without what is hidden, to `folder` as `TOOL.json`; returns the files."""
    written = []
    for tool in catalog.tools:
        document = catalog.documents[catalog.files[tool]]
        tree = _Stripper(document, tool, hiding).stripped()
        path = folder / f"{tool}.json"
        path.write_text(json.dumps(tree, ensure_ascii=False, indent=1), encoding="utf-8")
        written.append(path)
    return written


class _Stripper:
    """Takes documentation out of one document. References within it are written out, so that places part."""

    def __init__(self, document: Document, tool: str, hiding: Hiding) -> None:
        self.document, self.tree, self.tool, self.hiding = document, document.tree, tool, hiding

    def stripped(self) -> Json:
        kept = ("openapi", "swagger", "servers", "basePath", "host", "schemes", "consumes", "produces")
        tree: dict[str, Json] = {name: self.tree[name] for name in kept if name in self.tree}
        tree["info"] = {"title": self.tool, "version": "1"}
        paths = {path: self._item(path, item) for path, item in self.tree["paths"].items() if path.startswith("/")}
        tree["paths"] = paths
        schemes = self.document.get("/components/securitySchemes", None)
        if schemes:
            tree["components"] = {"securitySchemes": schemes}
        if "securityDefinitions" in self.tree:
            tree["securityDefinitions"] = self.tree["securityDefinitions"]
        return tree

    def _item(self, path: str, item: Json) -> Json:
        item = self._resolved(item)
        shared = item.get("parameters") or []
        stripped: dict[str, Json] = {name: item[name] for name in ("servers",) if name in item}
        for method, node in item.items():
            if method in METHODS and isinstance(node, dict):
                stripped[method] = self._operation(path, method, node, shared)
        return stripped

    def _parameters(self, key: OperationKey, nodes: list[Json]) -> list[Json]:
        """A parameter of the operation goes before one of the path of the same name."""
        declared = [self._resolved(node) for node in nodes]
        last = {(node.get("in"), node.get("name")): index for index, node in enumerate(declared)}
        parameters = [self._parameter(key, declared[index]) for index in sorted(last.values())]
        return [parameter for parameter in parameters if parameter is not None]

    def _operation(self, path: str, method: str, node: dict[str, Json], shared: list[Json]) -> Json:
        key = OperationKey(self.tool, f"{method.upper()} {path}")
        hidden = {"callbacks", "tags"} | (set(_TEXTS) if self.hiding.hides(key, "", "descriptions") else set())
        hidden |= {"security"} if self.hiding.hides(key, "", "required") else set()
        stripped = {name: value for name, value in node.items() if not name.startswith("x-") and name not in hidden}
        stripped["parameters"] = self._parameters(key, [*shared, *(node.get("parameters") or [])])
        if isinstance(node.get("requestBody"), dict):
            stripped["requestBody"] = self._body(key, self._resolved(node["requestBody"]))
        stripped["responses"] = self._responses(key, node.get("responses") or {})
        return stripped

    def _parameter(self, key: OperationKey, node: dict[str, object]) -> dict[str, Json] | None:
        if node.get("in") == "body":
            return {**self._plain(node, key, "body:"), "schema": self._schema(node.get("schema") or {}, key, "")}
        location = f"{node.get('in')}:{node.get('name')}"
        if node.get("in") != "path" and self.hiding.hides(key, location, "parameters"):
            return None
        stripped = self._plain(node, key, location)
        if isinstance(node.get("schema"), dict):
            stripped["schema"] = self._plain(self._inlined(node["schema"]), key, location)
            if "items" in stripped["schema"] and self.hiding.hides(key, location, "types"):
                del stripped["schema"]["items"]
        if "items" in stripped and self.hiding.hides(key, location, "types"):
            del stripped["items"]
        if node.get("in") == "path":
            stripped["required"] = True
        return stripped

    def _body(self, key: OperationKey, node: dict[str, Json]) -> Json:
        stripped = self._plain(node, key, "body:")
        content = {}
        for media, entry in (node.get("content") or {}).items():
            kept = self._plain(entry, key, "body:")
            kept["schema"] = self._schema(entry.get("schema") or {}, key, "")
            content[media] = kept
        return {**stripped, "content": content}

    def _schema(self, node: Json, key: OperationKey, pointer: str, depth: int = 0) -> Json:
        """A schema of a request body, with what is below it."""
        node = self._resolved(node)
        if depth > _DEPTH:
            return {}
        kept = {"type": node["type"]} if pointer == "" and "type" in node else {}
        stripped = self._plain({k: v for k, v in node.items() if k != "required"}, key, f"body:{pointer}") | kept
        stripped |= self._members(node, key, pointer, depth)
        below = {"items": f"{pointer}/0", "allOf": pointer, "oneOf": pointer, "anyOf": pointer}
        for keyword, at in below.items():
            if isinstance(part := node.get(keyword), dict):
                stripped[keyword] = self._schema(part, key, at, depth + 1)
            elif isinstance(part, list):
                stripped[keyword] = [self._schema(each, key, at, depth + 1) for each in part]
        return stripped

    def _members(self, node: dict[str, Json], key: OperationKey, pointer: str, depth: int) -> dict[str, Json]:
        """The properties of a schema, and which of them are required."""

        def hides(name: str, kind: Hide) -> bool:
            return self.hiding.hides(key, f"body:{pointer}/{pointers.escape(name)}", kind)

        required = [name for name in node.get("required") or () if not hides(name, "required")]
        stripped: dict[str, Json] = {"required": required} if required else {}
        if isinstance(node.get("properties"), dict):
            stripped["properties"] = {
                name: self._schema(below, key, f"{pointer}/{pointers.escape(name)}", depth + 1)
                for name, below in node["properties"].items()
                if not hides(name, "parameters")
            }
        return stripped

    def _responses(self, key: OperationKey, node: dict[str, Json]) -> Json:
        if self.hiding.hides(key, "", "responses"):
            return {"default": {"description": ""}}
        stripped = {}
        for status, response in node.items():
            kept = self._without(self._inlined(response), self._always(key))
            kept["description"] = "" if self.hiding.hides(key, "", "descriptions") else response.get("description", "")
            stripped[status] = kept
        return stripped

    def _always(self, key: OperationKey) -> set[str]:
        kinds: tuple[Hide, ...] = ("descriptions", "examples")
        return {word for kind in kinds if self.hiding.hides(key, "", kind) for word in _KEYWORDS[kind]}

    def _plain(self, node: dict[str, object], key: OperationKey, location: str) -> dict[str, Json]:
        """A node without the hidden keywords and without extensions; what it holds below is untouched."""
        words = {
            word for kind, listed in _KEYWORDS.items() if self.hiding.hides(key, location, kind) for word in listed
        }
        return {name: value for name, value in node.items() if name not in words and not name.startswith("x-")}

    def _without(self, node: object, words: set[str], *, names: bool = False) -> Json:
        """A node without keywords, everywhere below; `names` where its keys are names of properties."""
        if isinstance(node, list):
            return [self._without(part, words) for part in node]
        if not isinstance(node, dict):
            return node
        return {
            name: self._without(value, words, names=not names and name in ("properties", "patternProperties"))
            for name, value in node.items()
            if names or not (name in words or name.startswith("x-"))
        }

    def _resolved(self, node: object) -> Json:
        """The node that a chain of references within the document ends at; {} where it ends nowhere."""
        for _ in range(_DEPTH):
            if not (isinstance(node, dict) and isinstance(node.get("$ref"), str)):
                break
            node = self.document.get(node["$ref"].removeprefix("#"), {}) if node["$ref"][:1] == "#" else {}
        return mapping(node)

    def _inlined(self, node: object, depth: int = 0, above: Iterable[str] = ()) -> Json:
        """The node with all references below it written out; a cycle ends in {}."""
        if depth > 4 * _DEPTH:
            return {}
        if isinstance(node, list):
            return [self._inlined(part, depth + 1, above) for part in node]
        if not isinstance(node, dict):
            return node
        target = node.get("$ref")
        if isinstance(target, str):
            return {} if target in above else self._inlined(self._resolved(node), depth + 1, (*above, target))
        return {name: self._inlined(value, depth + 1, above) for name, value in node.items()}
