"""Explorations that are killed (`kill -9`) and resumed, beside one that ran to its end; both seen from outside."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from clikit import Done, docrev
from counting_proxy import Watch, counting
from patience import HANGS
from services import running

from docrev.conventions.methods import SAFE_METHODS
from docrev.evidence import Evidence
from docrev.json_values.canonical import canonical

SPECS = Path(__file__).resolve().parent.parent / "specs"
_VOLATILE = re.compile(
    r'\b(?:note|wl|wi)_\d{4}\b|"(?:revision|request_count|requests_served|uptime_seconds)":[\d.]+|\d{4}-\d\d-\d\dT[\d:.+]+'
)
"""What the bundled services number, count and time."""
Moment = Literal["arrived", "performed", "answered"]
MOMENTS: tuple[Moment, ...] = ("arrived", "performed", "answered")


@dataclass(frozen=True)
class Kill:
    """A process is killed when its `request`th request (from 1) arrived and was not passed on, was performed and not
    answered, or was answered `delay` seconds ago. With `unsafe`, only requests that may change something count."""

    request: int
    moment: Moment
    delay: float = 0.0
    unsafe: bool = False


class Killer(Watch):
    """Counts the requests of its proxies, and kills a process at the moment that it was armed for."""

    def __init__(self) -> None:
        self.count = 0
        self.unsafe = 0
        self._kill: Kill | None = None
        self._pid = 0
        self._lock = threading.Lock()

    def arm(self, kill: Kill | None, pid: int) -> None:
        """From now on count anew, and kill `pid` when `kill` says, if there is one."""
        self._kill, self._pid, self.count, self.unsafe = kill, pid, 0, 0

    def arrived(self, method: str) -> int:
        with self._lock:
            safe = method in SAFE_METHODS
            self.count += 1
            self.unsafe += not safe
            number = self.count
            if self._kill is not None and self._kill.unsafe:
                number = 0 if safe else self.unsafe
        self._at("arrived", number)
        return number

    def performed(self, number: int) -> None:
        self._at("performed", number)

    def answered(self, number: int) -> None:
        self._at("answered", number)

    def _at(self, moment: Moment, number: int) -> None:
        kill = self._kill
        if kill is None or (kill.moment, kill.request) != (moment, number):
            return
        self._kill = None
        if moment == "answered":
            threading.Timer(kill.delay, _kill, [self._pid]).start()
        else:
            _kill(self._pid)
            raise ConnectionAbortedError("the client was killed")


@dataclass(frozen=True)
class Subject:
    """A fresh service to explore. `urls` are by tool; `state` returns what all items that are there contain, by
    `TOOL PATH`; `ids` finds what the service makes up, which differs from run to run. None: so much does that
    values and bodies cannot be compared."""

    specs: Path
    urls: Mapping[str, str]
    state: Callable[[], dict[str, str]]
    ids: re.Pattern[str] | None
    headers: Sequence[str] = ()


@dataclass(frozen=True)
class Ending:
    """How an exploration ended.

    `calls` are counted by operation, what was sent, and the answer; `sent` are all requests that reached the proxies,
    `there` are the items that the run created and that are still there, `harmed` those of others that it changed or
    removed, `lost` are the operations that were on the
    wire when the process was killed.
    """

    summary: dict[str, Any]
    calls: Counter[tuple[str, str, str]]
    facts: Counter[str]
    changes: str
    left: frozenset[str]
    there: frozenset[str]
    harmed: tuple[str, ...]
    lost: frozenset[str]
    sent: int
    unsafe: int
    killed: int
    said: str = ""


def explore(subject: Subject, folder: Path, *options: str, kills: Sequence[Kill] = ()) -> Ending:
    """Explore with everything allowed, killed once for each of `kills`; then the same command to its end."""
    return _explored(subject, folder, options, (*kills, None))


def clean_after(subject: Subject, folder: Path, *options: str, kill: Kill) -> tuple[int, list[str]]:
    """Explore with everything allowed until the process is killed, then `--clean` alone: how many items of the run were
    there in between, and what is there and not told, or was harmed.
    """
    before = subject.state()
    with _proxied(subject, folder, options) as (killer, command):
        killed = _run(killer, command, kill)
        assert killed.code == -signal.SIGKILL, killed.err[-2000:]
        between = subject.state().keys() - before.keys()
        cleaned = _run(killer, [*command, "--clean"], None)
    assert cleaned.code == 0, cleaned.err[-2000:]
    left, now = frozenset(_left(cleaned.json["left"])), subject.state()
    harmed = [f"harmed: {path}" for path, content in before.items() if now.get(path) != content]
    return len(between), _silent(left, frozenset(now.keys() - before)) + harmed


@contextmanager
def _proxied(subject: Subject, folder: Path, options: Sequence[str]) -> Iterator[tuple[Killer, list[str]]]:
    """The command that explores a service through proxies, and what watches these."""
    killer = Killer()
    with ExitStack() as stack:
        proxies = {tool: stack.enter_context(counting(url, killer)) for tool, url in subject.urls.items()}
        command = ["explore", str(subject.specs), "--out", str(folder / "evidence"), "--json"]
        command += [part for tool, proxy in proxies.items() for part in ("--base-url", f"{tool}={proxy.url}")]
        command += [part for header in subject.headers for part in ("-H", header)]
        yield killer, [*command, "--allow", "POST,PUT,PATCH,DELETE", *options]


def _run(killer: Killer, command: Sequence[str], kill: Kill | None) -> Done:
    return docrev(*command, on_start=lambda pid: killer.arm(kill, pid))


def _explored(subject: Subject, folder: Path, options: Sequence[str], kills: Sequence[Kill | None]) -> Ending:
    before = subject.state()
    with _proxied(subject, folder, options) as (killer, command):
        sent, unsafe, killed, lost = 0, 0, 0, set[str]()
        for kill in kills:
            done = _run(killer, command, kill)
            sent += killer.count
            unsafe += killer.unsafe
            killed += done.code == -signal.SIGKILL
            lost |= _on_the_wire(folder / "evidence") if kill is not None else set()
    assert done.code == 0, done.err[-2000:]
    summary = done.json
    now = subject.state()
    harmed = tuple(path for path, content in before.items() if now.get(path) != content)
    seen = {"there": frozenset(now.keys() - before), "harmed": harmed, "sent": sent, "unsafe": unsafe, "killed": killed}
    seen |= {"lost": frozenset(lost), "said": done.err}
    return _ending(subject, folder, summary, **seen)


def drawn_kills(whole: Ending, count: int, seed: int) -> list[Kill]:
    """Kills at random moments of a run; every other one at a request that may change something: those matter most."""
    drawn = random.Random(seed)
    kills = []
    for number in range(count):
        unsafe = number % 2 == 0
        request = drawn.randint(1, whole.unsafe if unsafe else whole.sent)
        kills.append(Kill(request, MOMENTS[number % len(MOMENTS)], drawn.random() / 50, unsafe))
    return kills


def differences(whole: Ending, resumed: Ending, *, more: int = 0) -> list[str]:
    """How a resumed exploration differs from a whole one, in words; `more` requests may have been on the wire."""
    missing, added, otherwise = _calls_apart(whole, resumed)
    found = [
        f"{name}: {whole.summary[name]} -> {value}"
        for name, value in resumed.summary.items()
        if name not in ("seconds", "left") and value != whole.summary[name]
        if not (name == "calls_2xx" and abs(value - whole.summary[name]) <= otherwise)
    ]
    found += [f"call missing: {' '.join(call)}" for call in missing.elements()]
    found += [f"call more: {' '.join(call)}" for call in added.elements()]
    found += [f"fact missing: {fact}" for fact in (whole.facts - resumed.facts).elements()]
    found += [f"fact more: {fact}" for fact in (resumed.facts - whole.facts).elements()]
    if whole.changes != resumed.changes:
        found.append("the revised specs differ")
    if len(whole.left) != len(resumed.left):
        found.append(f"left: {sorted(whole.left)} -> {sorted(resumed.left)}")
    if not whole.sent <= resumed.sent <= whole.sent + more:
        found.append(f"requests on the wire: {whole.sent} -> {resumed.sent}")
    return found + unaccounted(resumed)


def _calls_apart(whole: Ending, resumed: Ending) -> tuple[Counter[Any], Counter[Any], int]:
    """The calls that only one of two explorations made; and how many were answered otherwise because they were on the
    wire when the process was killed, and were sent again: a DELETE that was performed finds nothing any more."""
    missing, added, otherwise = whole.calls - resumed.calls, resumed.calls - whole.calls, 0
    for call in [*missing.elements()]:
        twin = next((other for other in added.elements() if other[:2] == call[:2]), None)
        if twin is not None and call[0] in resumed.lost and otherwise < resumed.killed:
            missing[call] -= 1
            added[twin] -= 1
            otherwise += 1
    return +missing, +added, otherwise


def unaccounted(ending: Ending) -> list[str]:
    """What is on the service and not in the account of what is left, nor in something that is; and what was harmed."""
    return _silent(ending.left, ending.there) + [f"harmed: {path}" for path in ending.harmed]


def _silent(account: frozenset[str], there: frozenset[str]) -> list[str]:
    hidden = [path for path in sorted(there) if not any(_names(left, path, there) for left in account)]
    return [f"there and not told: {path}" for path in hidden]


def _names(left: str, path: str, there: frozenset[str]) -> bool:
    """Whether an entry of the account names what is at `path`, what it lies in, or something unknown beside it."""
    tool, _, entry = left.partition(" ")
    its_tool, _, place = path.partition(" ")
    if tool != its_tool:
        return False
    if entry.endswith("/?"):
        return place.rpartition("/")[0].endswith(entry.removesuffix("/?"))
    parts = [place[:end] for end, letter in enumerate(place + "/") if letter == "/" and end]
    return any(entry.endswith(part) for part in parts if f"{tool} {part}" in there)


@contextmanager
def kinto_subject(folder: Path) -> Iterator[Subject]:
    """A fresh Kinto, which is empty; its spec is written to `folder`."""
    from kinto_server import CREDENTIALS, kinto, spec

    header = f"Authorization: {CREDENTIALS}"
    with kinto() as url:
        document = spec(url, folder / "kinto.json")
        yield Subject(document, {"kinto": url}, lambda: _kinto_state(url, CREDENTIALS), None, (header,))


def _kinto_state(url: str, credentials: str) -> dict[str, str]:
    there: dict[str, str] = {}

    def listed(path: str) -> list[str]:
        rows = (_read(url + path, credentials) or {"data": []})["data"]
        there.update({f"kinto {path}/{row['id']}": canonical(row) for row in rows})
        return [f"{path}/{row['id']}" for row in rows]

    for bucket in listed("/buckets"):
        listed(f"{bucket}/groups")
        for collection in listed(f"{bucket}/collections"):
            listed(f"{collection}/records")
    return there


KIT = SPECS.parent.parent / "shared" / "services" / "services.py"
"""Starts services that hold somebody's data; it is not part of this repository."""


@contextmanager
def kit_subject(name: str, folder: Path) -> Iterator[Subject]:
    """A service of the kit, fresh and filled with somebody's data."""

    # The kit imports what lies beside it.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}

    def kit(command: str) -> str:
        words = [sys.executable, KIT, command, name]
        return subprocess.run(words, capture_output=True, text=True, check=True, env=environment).stdout

    def state() -> dict[str, str]:
        things = json.loads(kit("snapshot"))["things"]
        return {f"{name} /{path.lstrip('/')}": canonical(thing) for path, thing in things.items()}

    service = json.loads(kit("up"))
    try:
        document = folder / f"{name}{Path(service['spec']).suffix}"
        document.write_bytes(Path(service["spec"]).read_bytes())
        headers = [service["header"]] if service["header"] else []
        yield Subject(document, {name: service["base_url"]}, state, None, headers)
    finally:
        kit("down")


@contextmanager
def bundled(*tools: str) -> Iterator[Subject]:
    """The bundled services, or those named, fresh."""
    with running(*tools) as urls:
        if "airfield" in urls:
            _fill(urls["airfield"])
        single = SPECS / {"atlas": "atlas.yaml", "airfield": "airfield.json"}[tools[0]] if len(tools) == 1 else SPECS
        yield Subject(single, urls, lambda: _bundled_state(urls), _VOLATILE)


def _on_the_wire(folder: Path) -> set[str]:
    """The operations of the unsafe requests that were sent, or about to be, and whose answers were lost."""
    if not (folder / "evidence.db").exists():
        return set()
    with Evidence.open(folder, write=False) as evidence:
        return {str(intent.key) for intent in evidence.intents.unanswered()}


def _fill(airfield: str) -> None:
    """A watch-list of somebody else's, with an item."""
    for path, body in (("", {"name": "Theirs"}), ("/wl_0001/items", {"iata": "CDG"})):
        request = urllib.request.Request(f"{airfield}/watchlists{path}", json.dumps(body).encode(), method="POST")
        urllib.request.urlopen(request, timeout=HANGS).close()


def _bundled_state(urls: Mapping[str, str]) -> dict[str, str]:
    there: dict[str, str] = {}
    if "atlas" in urls:
        # Notes are not listed; their ids count up, and a run makes no more than this.
        for path in (f"/notes/note_{number:04}" for number in range(1, 400)):
            if (note := _read(urls["atlas"] + path)) is not None:
                there[f"atlas {path}"] = canonical(note)
    if "airfield" in urls:
        for row in _read(urls["airfield"] + "/watchlists")["results"]:
            path = f"/watchlists/{row['id']}"
            there[f"airfield {path}"] = canonical(row)
            for item in _read(f"{urls['airfield']}{path}/items")["items"]:
                there[f"airfield {path}/items/{item['item_id']}"] = canonical(item)
    return there


def _read(url: str, credentials: str = "") -> Any:
    request = urllib.request.Request(url, headers={"Authorization": credentials} if credentials else {})
    try:
        with urllib.request.urlopen(request, timeout=HANGS) as answer:
            return json.load(answer)
    except urllib.error.HTTPError:
        return None


def _ending(subject: Subject, folder: Path, summary: dict[str, Any], **seen: Any) -> Ending:
    def plain(text: str) -> str:
        return "" if subject.ids is None else subject.ids.sub("<id>", text)

    with Evidence.open(folder / "evidence", write=False) as evidence:
        calls = Counter(
            (
                str(call.key),
                f"{call.purpose} {call.scenario} " + plain(canonical(call.arguments)),
                f"{call.status} {call.error} " + plain(canonical(call.body)),
            )
            for call in evidence.calls.select()
        )
        facts = Counter(
            f"{fact.key} {fact.location} {fact.kind} " + plain(canonical(fact.value)) for fact in evidence.facts()
        )
    revised = docrev("revise", subject.specs, "--evidence", folder / "evidence")
    assert revised.code == 0, revised.err[-2000:]
    return Ending(summary, calls, facts, plain(revised.out), left=frozenset(_left(summary["left"])), **seen)


def _left(account: Sequence[Any]) -> Iterator[str]:
    """What is left, each as `TOOL PATH`."""
    for entry in account:
        yield entry if isinstance(entry, str) else f"{entry['tool']} {entry['path']}"


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
