"""What is read back after writing to the bundled services: as a question says, or as a run's calls wrote it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from oracle_tables import Select, Table

from docrev.conventions.methods import SAFE_METHODS
from docrev.json_values.scalars import same_scalar
from docrev.records import THERE, Call, Given, Goal, Json
from docrev.sandbox.tables import Row, load

DEFAULTS: dict[str, dict[str, Json]] = {
    "note": {"rating": None, "status": "draft"},
    "watchlist": {"visibility": "private", "review_on": None},
    "item": {"note": None},
}
FIELDS = {
    "note": {"country_code", "text", "rating", "status"},
    "watchlist": {"name", "visibility", "review_on"},
    "item": {"iata", "note"},
}

KEYS = {"country_code": ("country", "code"), "iata": ("airport", "iata")}
"""Properties that are keys of records: the noun and the field of what they name."""


def written(goal: Goal, resolve: Callable[[Goal], Json]) -> Json:
    """The wanted field of what was created and changed as the givens say; LookupError if they do not tell.

    A given at `body:/name` is sent as that property; one that is given a second time begins a later change.
    """
    writes = _writes([given for given in goal.givens if is_sent(given)])
    state = _state_after(writes)
    noun = goal.noun if goal.noun in FIELDS else writes[-1][0] if writes else ""
    counts = Counter(kind for kind, _ in writes)
    computed: dict[str, Callable[[], Json]] = {
        "revision": lambda: counts["note"],
        "item_count": lambda: counts["item"],
        "airport_name": lambda: _airport(state.get("item", {}).get("iata"), goal, resolve),
    }
    known = state.get(noun, DEFAULTS.get(noun, {}))
    if goal.want in known:
        return known[goal.want]
    if goal.want in KEYS and goal.want in FIELDS.get(noun, ()):
        return _looked_up(*KEYS[goal.want], goal, resolve)
    if goal.want in computed:
        return computed[goal.want]()
    raise LookupError(f"{goal.want} of {goal.noun} is not told by what was sent")


def _state_after(writes: list[tuple[str, dict[str, Json]]]) -> dict[str, dict[str, Json]]:
    """The record of each noun after these bodies were sent: notes are patched, the others created or replaced whole."""
    state: dict[str, dict[str, Json]] = {}
    for noun, body in writes:
        before = state.get(noun, DEFAULTS[noun]) if noun == "note" else DEFAULTS[noun]
        state[noun] = {**before, **body}
    return state


def done(goal: Goal) -> Json:
    """The answer after the goal's deeds were done in order; LookupError if it is not told by them.

    Each deed is done to what was created last of its noun. Items lie in the watch-list that was created before them.
    """
    rows, latest = _rows_after(goal)
    if goal.want == THERE:
        return any(row is latest[goal.noun] for row in rows[goal.noun])
    if goal.want == "item_count":
        return len(rows["item"])
    return [row[goal.want] for row in rows[goal.noun]] if goal.many else latest[goal.noun][goal.want]


def _rows_after(goal: Goal) -> tuple[dict[str, list[Row]], dict[str, Row]]:
    """The rows of each noun after the goal's deeds, and the last one that was created."""
    rows: dict[str, list[Row]] = {noun: [] for noun in FIELDS}
    latest: dict[str, Row] = {}
    for deed in goal.deeds:
        noun = deed.noun
        body = {_property(goal.givens[index]): goal.givens[index].value for index in deed.givens}
        if deed.verb == "create":
            latest[noun] = {**DEFAULTS[noun], **body, **_counted(noun, body)}
            rows[noun].append(latest[noun])
        elif deed.verb == "change":
            _change(noun, latest[noun], body)
        elif deed.verb == "delete":
            rows[noun] = [row for row in rows[noun] if row is not latest[noun]]
        else:
            rows[noun] = []
    return rows, latest


def _change(noun: str, row: Row, body: Row) -> None:
    """Patch a note, which counts its revisions; replace anything else."""
    if noun == "note":
        row.update({**body, "revision": row["revision"] + 1})
    else:
        row.update({**DEFAULTS[noun], **body})


def _counted(noun: str, body: Row) -> Row:
    """What the services add to what was sent."""
    return {"revision": 1} if noun == "note" else {"airport_name": _name(body["iata"])} if noun == "item" else {}


def is_sent(given: Given) -> bool:
    """Whether a given is a property of a request body."""
    return given.location.startswith("body:")


def sent_properties(goal: Goal) -> tuple[str, Row]:
    """The noun that a goal wants of what it says to write, and the properties that were sent of it last."""
    writes = _writes([given for given in goal.givens if is_sent(given)])
    noun = goal.noun or writes[-1][0]
    sent: Row = {}
    for one, body in writes:
        sent |= body if one == noun else {}
    return noun, sent


def _writes(sent: list[Given]) -> list[tuple[str, dict[str, Json]]]:
    """The bodies that were sent, in order, with the noun of each."""
    found: list[tuple[str, dict[str, Json]]] = []
    for given in sent:
        whole = given.location == "body:"
        values = dict(given.value) if whole and isinstance(given.value, dict) else {_property(given): given.value}
        noun = _noun(given, set(values))
        if found and found[-1][0] == noun and not whole and not set(values) & set(found[-1][1]):
            found[-1][1].update(values)
        else:
            found.append((noun, values))
    return found


def _property(given: Given) -> str:
    return given.location.partition(":")[2].lstrip("/")


def _noun(given: Given, names: set[str]) -> str:
    if given.noun in FIELDS:
        return given.noun
    return next(noun for noun, fields in FIELDS.items() if names <= fields)


def _airport(iata: Json, goal: Goal, resolve: Callable[[Goal], Json]) -> Json:
    code = iata or _looked_up(*KEYS["iata"], goal, resolve)
    return next(row["name"] for row in load("airfield", "airports") if same_scalar(row["iata"], code))


def _looked_up(noun: str, field: str, goal: Goal, resolve: Callable[[Goal], Json]) -> Json:
    """What had to be looked up to be sent: the key of the record that the other givens lead to."""
    naming = tuple(given for given in goal.givens if not given.location.startswith("body:"))
    return resolve(Goal(naming, field, noun))


class History:
    """The notes, watch-lists and items that a run's calls made, as they were after each write."""

    def __init__(self, calls: Iterable[Call] = ()) -> None:
        self._rows: dict[str, dict[str, Row]] = {noun: {} for noun in FIELDS}
        self._moments: list[dict[str, tuple[Row, ...]]] = []
        for call in calls:
            if call.ok and call.key.method not in SAFE_METHODS:
                self._apply(call)
                self._moments.append({noun: tuple(map(dict, rows.values())) for noun, rows in self._rows.items()})

    def moments(self) -> Iterator[Mapping[str, Table]]:
        """The tables of what was written, after each write."""
        for moment in self._moments:
            yield {noun: _table(noun, rows) for noun, rows in moment.items() if rows}

    def values(self, noun: str, want: str, sent: Row) -> list[Json]:
        """The distinct values of a field of whatever was written with these properties."""
        rows = [row for moment in self._moments for row in moment[noun] if sent.items() <= row.items()]
        return [*dict.fromkeys(row[want] for row in rows if want in row)]

    def _apply(self, call: Call) -> None:
        noun = {"notes": "note", "watchlists": "watchlist", "items": "item"}.get(_segments(call)[-1], "")
        if not noun:
            return
        body = {name: value for name, value in _sent_body(call).items() if name in FIELDS[noun]}
        if call.key.method == "POST":
            self._create(noun, body, call)
        elif (row := self._rows[noun].get(_address(call, noun))) is not None:
            self._change(noun, row, body, call.key.method)
        for key, row in self._rows["watchlist"].items():
            row["item_count"] = sum(1 for item in self._rows["item"].values() if item["watchlist_id"] == key)

    def _create(self, noun: str, body: Row, call: Call) -> None:
        key = call.body["item_id" if noun == "item" else "id"]
        row = {**DEFAULTS[noun], **body, "item_id" if noun == "item" else "id": key}
        if noun == "item":
            row |= {"watchlist_id": call.arguments["path:watchlist_id"], "airport_name": _name(body["iata"])}
        self._rows[noun][key] = row | ({"revision": 1} if noun == "note" else {})

    def _change(self, noun: str, row: Row, body: Row, method: str) -> None:
        if method == "DELETE":
            self._rows[noun] = {key: one for key, one in self._rows[noun].items() if one is not row}
            left = self._rows["watchlist"].keys()
            self._rows["item"] = {key: one for key, one in self._rows["item"].items() if one["watchlist_id"] in left}
        elif method == "PATCH":
            row |= {**body, "revision": row["revision"] + 1}
        else:
            row |= {**DEFAULTS[noun], **body}


def _table(noun: str, rows: tuple[Row, ...]) -> Table:
    selects: dict[str, Select] = {}
    if noun == "watchlist":
        selects["visibility"] = lambda row, value: same_scalar(row["visibility"], value)
    return Table(noun, tuple(rows[0]), rows, selects)


def _segments(call: Call) -> list[str]:
    return [part for part in call.key.path.split("/") if part and "{" not in part]


def _sent_body(call: Call) -> Row:
    body = call.arguments.get("body:")
    return body if isinstance(body, dict) else {}


def _address(call: Call, noun: str) -> Json:
    names = {"note": "id", "watchlist": "watchlist_id", "item": "item_id"}
    return call.arguments.get(f"path:{names[noun]}")


def _name(iata: str) -> Json:
    return next(row["name"] for row in load("airfield", "airports") if row["iata"] == iata)
