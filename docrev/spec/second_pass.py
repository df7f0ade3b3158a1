"""Documents in which openapi-spec-validator's second pass certainly finds nothing, recognised on plain data.

That pass walks by paths, each looked up from the root: thirty times as slow as this. What is not clear here (`required`
beside `allOf`, defaults of lists, references with bases of their own) is left to the validator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from string import Formatter

from docrev.json_values import pointer as pointers
from docrev.records import Json
from docrev.spec.keywords import METHODS

_LONGEST_CHAIN = 32
_ANNOTATIONS = ("title", "description", "example", "examples", "deprecated", "name", "in", "required")
_KNOWN = frozenset(("type", "default", "enum", "minimum", "maximum", *_ANNOTATIONS))
_KINDS: dict[object, tuple[type, ...]] = {
    "string": (str,), "boolean": (bool,), "integer": (int,), "number": (int, float),
}  # fmt: skip


def nothing_to_say(tree: Mapping[str, Json], follows: Callable[[Json], bool]) -> bool:
    """Whether the second pass certainly finds nothing in `tree`, which follows the published schema of its version.

    `follows` says whether a schema certainly follows its dialect. Every `$ref` must be local.
    """
    try:
        _SecondPass(tree, follows).run()
    except (_InDoubt, KeyError, TypeError, ValueError):
        # Brackets of a path that do not pair, and what no dialect was asked about: schemas that are only referred to.
        return False
    return True


class _InDoubt(Exception):
    """This is for the validator to judge."""


class _SecondPass:
    def __init__(self, tree: Mapping[str, Json], follows: Callable[[Json], bool]) -> None:
        self._tree, self._follows = tree, follows
        self._ids: set[str] = set()
        self._seen: set[int] = set()
        self._followed: set[int] = set()

    def run(self) -> None:
        """Look at all that the validator looks at. Raises _InDoubt where it may have something to say."""
        tags = [tag["name"] for tag in self._listed(self._tree, "tags")]
        nested = any("parent" in tag for tag in self._listed(self._tree, "tags"))
        _be_sure(len(set(tags)) == len(tags) and not nested and "jsonSchemaDialect" not in self._tree)
        for url, item in self._named(self._tree, "paths"):
            self._path(url, item)
        for _, schema in self._named(self._tree.get("components", {}), "schemas"):
            self._schema(schema)

    def _path(self, url: str, item: dict[str, Json]) -> None:
        shared = self._path_parameters(item)
        _be_sure("additionalOperations" not in item)
        template = {name for _, name, _, _ in Formatter().parse(url) if name}
        for method in item.keys() & {*METHODS, "query"}:
            operation = self._resolved(item[method])
            id = operation.get("operationId")
            _be_sure(id is None or (isinstance(id, str) and id not in self._ids))
            self._ids |= {id} if isinstance(id, str) else set()
            for _, response in self._named(operation, "responses"):
                self._holder(response)
                for _, media in self._named(response, "content"):
                    self._holder(media)
            _be_sure(template == shared | self._path_parameters(operation))

    def _path_parameters(self, owner: dict[str, Json]) -> set[str]:
        """The names of the path parameters of a path item or an operation."""
        keys = list[tuple[str, str]]()
        for parameter in self._listed(owner, "parameters"):
            self._holder(parameter)
            _be_sure(_default_fits(parameter))
            keys.append((parameter["name"], parameter["in"]))
        _be_sure(len(set(keys)) == len(keys))
        return {name for name, where in keys if where == "path"}

    def _holder(self, owner: dict[str, Json]) -> None:
        if "schema" in owner:
            self._schema(self._resolved(owner["schema"]))

    def _schema(self, top: dict[str, Json]) -> None:
        if id(top) not in self._followed:
            self._followed.add(id(top))
            _be_sure(self._follows(top))
        waiting = [top]
        while waiting:
            schema = waiting.pop()
            if id(schema) in self._seen:
                continue
            self._seen.add(id(schema))
            _be_sure(not schema.keys() & {"$id", "$schema"} and not {"allOf", "required"} <= schema.keys())
            _be_sure(_default_fits(schema))
            for word in ("allOf", "anyOf", "oneOf"):
                waiting += self._listed(schema, word)
            waiting += [self._resolved(schema[word]) for word in ("not", "items") if word in schema]
            waiting += [inner for _, inner in self._named(schema, "properties")]

    def _listed(self, owner: Mapping[str, Json], key: str) -> list[dict[str, Json]]:
        listed = owner.get(key, [])
        _be_sure(isinstance(listed, list))
        return [self._resolved(item) for item in listed]

    def _named(self, owner: Mapping[str, Json], key: str) -> Iterator[tuple[str, dict[str, Json]]]:
        named = owner.get(key, {})
        _be_sure(isinstance(named, dict) and "$ref" not in named)
        return ((name, self._resolved(item)) for name, item in named.items())

    def _resolved(self, node: Json) -> dict[str, Json]:
        """The mapping that `node` is or refers to."""
        for _ in range(_LONGEST_CHAIN):
            _be_sure(isinstance(node, dict))
            if "$ref" not in node:
                return node  # type: ignore[no-any-return]
            node = self._target(node["$ref"])
        raise _InDoubt

    def _target(self, ref: Json) -> Json:
        _be_sure(isinstance(ref, str) and ref.startswith("#/") and "%" not in ref)
        node: Json = self._tree
        for part in pointers.split(ref[1:]):
            _be_sure(isinstance(node, dict) and part in node and not node.keys() & {"$id", "$ref"})
            node = node[part]
        return node


def _be_sure(certain: bool) -> None:
    if not certain:
        raise _InDoubt


def _default_fits(schema: dict[str, Json]) -> bool:
    """Whether a schema's default certainly is one of its values."""
    if "default" not in schema:
        return True
    value, kind = schema["default"], schema.get("type")
    known = all(key in _KNOWN or key.startswith("x-") for key in schema)
    if not known or not isinstance(kind, str) or type(value) not in _KINDS.get(kind, ()):
        return False
    allowed = schema.get("enum", [value])
    if not any(type(one) is type(value) and one == value for one in allowed):
        return False
    return kind in ("string", "boolean") or bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
