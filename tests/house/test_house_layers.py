"""The layers of the design: no package imports one above it, in functions and under TYPE_CHECKING included."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import networkx as nx
import pytest

ROOT = Path(__file__).resolve().parents[2]

FLOORS: dict[str, int] = {
    "docrev.errors": 0,
    "docrev.grouping": 0,
    "docrev.settings": 0,
    "docrev.records": 0,
    "docrev.events": 0,
    "docrev.json_values": 0,
    "docrev.language": 0,
    "docrev.storage": 0,
    "docrev.spec": 1,
    "docrev.conventions": 1,
    "docrev.render": 1,
    "docrev.graph": 2,
    "docrev.evidence": 2,
    "docrev.calls": 2,
    "docrev.prompts": 2,
    "docrev.facts": 3,
    "docrev.traffic": 3,
    "docrev.search": 3,
    "docrev.models": 3,
    "docrev.planner": 3,
    "docrev.agent": 3,
    "docrev.driver": 4,
    "docrev.serving": 4,
    "docrev.retrieval": 4,
    "docrev.exploration": 5,
    "docrev.revision": 5,
    "docrev.sandbox": 5,
    "docrev.simulator": 5,
    "docrev.offline": 6,
    "docrev.runners": 6,
    "docrev.eval": 7,
    "docrev.sessions": 7,
    "docrev.api": 7,
    "docrev.api_files": 7,
    "docrev.train": 8,
    "docrev.cluster": 8,
    "docrev.cli": 9,
}
SEPARATE = {"docrev.exploration", "docrev.revision", "docrev.sandbox", "docrev.simulator"}
HOMES = {"docrev": ROOT / "docrev", "docrev.runners": ROOT / "runners", "docrev.eval": ROOT / "eval"}

NAME = r"docrev(\.[A-Za-z_]+)+\.?"


@cache
def modules() -> tuple[tuple[str, Path], ...]:
    return tuple(_modules())


def _modules() -> Iterator[tuple[str, Path]]:
    for package, folder in HOMES.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            name = ".".join((package, *(part for part in parts if part != "__init__")))
            yield name, path


class Called(NamedTuple):
    """A call of a function that has a name: where it stands, and the names of its keyword arguments, None for `**`."""

    name: str
    line: int
    keywords: tuple[str | None, ...]


class Source(NamedTuple):
    """What a file imports, and what it calls."""

    imported: tuple[str, ...]
    called: tuple[Called, ...]


@cache
def source(name: str, path: Path) -> Source:
    nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    calls = (node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    called = (Called(node.func.id, node.lineno, tuple(word.arg for word in node.keywords)) for node in calls)
    return Source(tuple(_imported(name, path, nodes)), tuple(called))


def imported(name: str, path: Path) -> tuple[str, ...]:
    """The modules and names that a file imports, wherever the statement is; also by `import_module("…")`."""
    return source(name, path).imported


def _imported(name: str, path: Path, nodes: Sequence[ast.AST]) -> Iterator[str]:
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                head = package.split(".")
                base = ".".join(head[: len(head) - node.level + 1] + ([base] if base else []))
            yield from (f"{base}.{alias.name}" for alias in node.names)
    if "import_module" in {getattr(node, "id", getattr(node, "attr", "")) for node in nodes}:
        yield from (target for target in loaded_by_name(nodes) if not name.startswith(f"{target}."))


def loaded_by_name(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """The texts of a file that name a module of docrev, or something in one, also in part (`f"docrev.cli.{name}"`)."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(NAME, node.value):
            yield f"{node.value}*" if node.value.endswith(".") else node.value


def owner(module: str) -> str | None:
    """The entry of FLOORS that a module belongs to."""
    parts = module.split(".")
    return next((key for n in range(len(parts), 1, -1) if (key := ".".join(parts[:n])) in FLOORS), None)


def test_every_module_has_a_floor() -> None:
    without = [name for name, _ in modules() if owner(name) is None]
    assert without == ["docrev", "docrev.__main__"]


@pytest.mark.parametrize("room", FLOORS)
def test_nothing_imports_upward(room: str) -> None:
    upward, across = [], []
    for name, path in modules():
        for target in imported(name, path) if owner(name) == room else ():
            other = owner(target)
            if other is not None and FLOORS[other] > FLOORS[room]:
                upward.append((name, target))
            if other in SEPARATE and room in SEPARATE and other != room:
                across.append((name, target))
    assert upward == []
    assert across == []


def graph(key: Callable[[str], str | None]) -> nx.DiGraph[str]:
    """Which imports which: an edge for each import of a file, with what `key` says of the two modules as its ends."""
    known = dict(modules())
    edges: nx.DiGraph[str] = nx.DiGraph()
    for name, path in known.items():
        for target in imported(name, path):
            module = target if target in known else target.rpartition(".")[0]
            some_of_its_own = target.endswith("*") and owner(target) == owner(name)
            if module not in known or some_of_its_own:
                continue
            one, other = key(name), key(module)
            if one and other and one != other:
                edges.add_edge(one, other)
    return edges


def circles(edges: nx.DiGraph[str]) -> list[list[str]]:
    return sorted(sorted(part) for part in nx.strongly_connected_components(edges) if len(part) > 1)


def test_the_graphs_see_imports_in_functions_and_by_name() -> None:
    assert graph(str).has_edge("docrev.cli.lint", "docrev.spec")
    assert graph(str).has_edge("docrev", "docrev.api")
    assert graph(owner).has_edge("docrev.facts", "docrev.evidence")


def test_no_packages_import_each_other() -> None:
    assert circles(graph(owner)) == []


def test_no_modules_import_each_other() -> None:
    assert circles(graph(str)) == []


SAY_NOTHING = """
    doing telling spoken together plainly purse own told known shown saying making aiming gate commands answers
""".split()
"""Names that fit any module."""


def test_the_names_of_modules_say_what_is_inside() -> None:
    assert [name for name, _ in modules() if name.rpartition(".")[2] in SAY_NOTHING] == []


def test_no_two_classes_have_the_same_name() -> None:
    counts = Counter(name for _, path in modules() for name in re.findall(r"^class (\w+)", path.read_text(), re.M))
    assert len(counts) > 300
    assert [name for name, count in counts.items() if count > 1 and not name.startswith("_")] == []


BY_NAME = re.compile(r"docrev\.(cli|facts\.kinds|sandbox\.\w+)\.\w+|docrev(\.\w+)*\.__main__")
"""Modules that are loaded by a name put together, or run."""


def test_every_module_is_imported_by_another() -> None:
    found = graph(str)
    packages = {name for name, path in modules() if path.name == "__init__.py"}
    unused = [name for name, _ in modules() if name not in packages and not BY_NAME.fullmatch(name)]
    assert [name for name in unused if name not in found or not found.in_degree(name)] == []


def test_the_wire_alone_knows_the_http_libraries() -> None:
    assert users_of("httpx2") == {"docrev.calls.http"}
    assert users_of("h11") == {"docrev.calls.http", "docrev.calls.connection"}


def test_one_module_knows_the_template_library() -> None:
    assert users_of("jinja2") == {"docrev.render"}


def test_nothing_evaluates_or_unpickles() -> None:
    for name, path in modules():
        for call in source(name, path).called:
            assert call.name not in {"eval", "exec", "compile", "__import__"}, f"{name}:{call.line}"
        assert not {"pickle", "marshal", "shelve"} & {target.split(".")[0] for target in imported(name, path)}, name


def test_nothing_below_the_command_line_prints() -> None:
    for name, path in modules():
        # A service is a program of its own.
        if not name.startswith(
            ("docrev.cli", "docrev.sandbox", "docrev.serving", "docrev.simulator", "docrev.eval.rooms")
        ):
            for call in source(name, path).called:
                assert call.name != "print", f"{name}:{call.line}"


def users_of(library: str) -> set[str]:
    return {name for name, path in modules() if any(t.split(".")[0] == library for t in imported(name, path))}


def test_the_architecture_has_every_room_on_its_floor() -> None:
    rows = [line.split("|") for line in (ROOT / "ARCHITECTURE.md").read_text().splitlines() if line.startswith("| ")]
    written = {
        f"docrev.{name.strip('`/').removesuffix('.py')}": int(row[1])
        for row in rows
        if row[1].strip().isdigit()
        for name in row[2].split()
    }
    assert written == FLOORS


NEEDS_NEXT_STEP = {"UsageError", "InputError", "LockedError", "UnreachableError", "CredentialsError", "StoreError"}


def test_every_error_of_a_user_names_the_next_step() -> None:
    errors = [
        (name, call) for name, path in modules() for call in source(name, path).called if call.name in NEEDS_NEXT_STEP
    ]
    assert len(errors) > 200
    for name, call in errors:
        # `**names` passes on what another error says.
        assert {"fix", None}.intersection(call.keywords), f"{name}:{call.line}"
