"""What an API was asked by others, kept as evidence: matched, redacted, each call once. Nothing is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from docrev.calls.redact import Redactor
from docrev.errors import InputError, UsageError
from docrev.events import Handler, Notice, ignore
from docrev.evidence import Evidence
from docrev.facts.watching import value_counts
from docrev.language.characters import one_line, visible
from docrev.language.urls import split_url
from docrev.records import Call, Fact, Json
from docrev.sessions.opening import Specs, load_operations
from docrev.sessions.watched_traffic import ObservedRun
from docrev.settings.serving import ObserveSettings
from docrev.traffic.exchange import Exchange
from docrev.traffic.matching import Matcher, secrets_of
from docrev.traffic.reading import read_traffic

_MOST_WARNINGS = 10

Records = Sequence[str | Path] | str | Path
"""Files with records of traffic."""


@dataclass(slots=True)
class Observation:
    """What came of watching: exchanges read, calls kept, facts; `unmatched` are method and host of what fits no
    operation, counted; `values` say how often each value of a set was seen."""

    read: int = 0
    kept: int = 0
    seen_before: int = 0
    unmatched: Counter[str] = field(default_factory=Counter)
    operations: int = 0
    facts: int = 0
    values: list[dict[str, Json]] = field(default_factory=list)

    def to_json(self) -> dict[str, Json]:
        """What `docrev observe --json` prints."""
        unmatched = [{"what": what, "exchanges": count} for what, count in sorted(self.unmatched.items())]
        return {
            "read": self.read,
            "kept": self.kept,
            "seen_before": self.seen_before,
            "unmatched": unmatched,
            "operations": self.operations,
            "facts": self.facts,
            "values": self.values,
        }


async def observe(
    specs: Specs, records: Records, settings: ObserveSettings, *, on_event: Handler = ignore
) -> Observation:
    """Keep what records of traffic have of the operations of specs. Raises DocrevError and its kinds."""
    catalog = load_operations(specs, settings)
    paths = [Path(one) for one in ([records] if isinstance(records, str | Path) else records)]
    exchanges = _Exchanges(paths)
    secrets = secrets_of(exchanges.read(lambda text: None), catalog)
    redactor = Redactor()
    redactor.learn(*secrets)
    matcher, result = Matcher(catalog, settings.base_urls, redactor), Observation()
    with Evidence.open(settings.out, write=True) as evidence:
        run = ObservedRun(evidence, catalog)
        _take(exchanges.read(lambda text: on_event(Notice(redactor.text(text)))), matcher, run, result)
        if not result.kept + result.seen_before:
            raise _no_match(result, settings)
        facts = run.conclude()
        result.facts = len(facts)
        result.operations = sum(1 for operation in catalog.operations if any(evidence.calls.select(key=operation.key)))
        listed = [fact for fact in facts if fact.kind == "observed-values"]
        calls = {key: list(evidence.calls.select(key=key)) for key in {fact.key for fact in listed}}
        result.values = [_values(fact, calls[fact.key]) for fact in listed]
    return result


def _take(exchanges: Iterable[Exchange], matcher: Matcher, run: ObservedRun, result: Observation) -> None:
    """Keep what exchanges have of the operations, each that went over the wire once; `result` counts."""
    wires: set[bytes] = set()
    for exchange in exchanges:
        result.read += 1
        is_new = exchange.wire not in wires
        call = matcher.call(exchange) if is_new else None
        if is_new and call is None:
            result.unmatched[_place(exchange)] += 1
            continue
        wires.add(exchange.wire)
        if call is not None and run.take(call):
            result.kept += 1
        else:
            result.seen_before += 1


def _values(fact: Fact, calls: list[Call]) -> dict[str, Json]:
    return {
        "tool": fact.key.tool,
        "operation": fact.key.operation,
        "location": fact.location,
        "values": value_counts(fact, calls),
    }


class _Exchanges:
    """The exchanges of several records, which are read twice: for what is secret, and for what is kept."""

    def __init__(self, paths: Sequence[Path]) -> None:
        if not paths:
            raise UsageError("no record of traffic", fix="name a HAR, JSON lines or a Postman collection")
        self._paths = paths

    def read(self, warn: Callable[[str], None]) -> Iterator[Exchange]:
        warned = 0

        def warn_few(text: str) -> None:
            nonlocal warned
            warned += 1
            if warned <= _MOST_WARNINGS:
                warn(one_line(text))

        for path in self._paths:
            yield from read_traffic(path, warn_few)
        if warned > _MOST_WARNINGS:
            warn(f"{warned - _MOST_WARNINGS:,} more entries are left out")


def _place(exchange: Exchange) -> str:
    """Method and host of an exchange, without what may be secret in its path."""
    return one_line(f"{visible(exchange.method)} {visible(split_url(exchange.url).netloc.rpartition('@')[2])}", 100)


def _no_match(result: Observation, settings: ObserveSettings) -> InputError:
    if not result.read:
        return InputError("the traffic has no request with a response", fix="record some")
    most = result.unmatched.most_common(1)[0][0]
    fix = "give --base-url, the URL before the paths of the spec" if not settings.base_urls else "check --base-url"
    return InputError(f"none of {result.read:,} requests is of an operation of the specs, as {most}", fix=fix)
