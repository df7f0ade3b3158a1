"""Which tools taught nothing: all their responses were errors, or nearly all were refusals of credentials.

What such a tool answered says something of the base URL, of a proxy or of the credentials, and nothing of its
operations: it is no documentation.
"""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from docrev.conventions.envelopes import says_error
from docrev.conventions.statuses import CREDENTIALS, UNAUTHENTICATED, is_client_error, is_redirection, is_server_fault
from docrev.errors import CredentialsError, UnreachableError
from docrev.evidence.calls import Ending
from docrev.evidence.store import Evidence
from docrev.json_values.canonical import canonical
from docrev.records import Call, OperationKey

NEARLY_ALL = 0.9
"""The share of 401 and 403 from which on what is left says nothing of the rest of a tool: a page of its health."""
MAX_ENDINGS = 3
_MEANT = ("survey", "scenario")
_SHUT = "refused: "


@dataclass(slots=True)
class UsefulAnswers:
    """How the calls to a tool ended: how often with 2xx and with each status or error, and with which per operation.

    `disguised`: whatever was answered with 2xx said in its body that it failed.
    """

    good: int = 0
    disguised: bool = False
    endings: Counter[str] = field(default_factory=Counter)
    refused: dict[OperationKey, bool] = field(default_factory=dict)

    def take(self, ending: Ending, calls: int) -> None:
        """Count calls that ended in one way."""
        refusal = ending.status in CREDENTIALS
        if ending.ok:
            self.good += calls
        else:
            self.endings[_name(ending)] += calls
        self.refused[ending.key] = refusal and self.refused.get(ending.key, True)

    @property
    def trouble(self) -> str:
        """Why nothing can be said of the tool, in a few words; "" if it taught something."""
        calls = self.good + self.endings.total()
        if self.disguised:
            return f"returned nothing but errors: {self.good} of {calls} calls with 2xx and an error in the body"
        if not self.good:
            most = sorted(self.endings.items(), key=lambda ending: (-ending[1], ending[0]))[:MAX_ENDINGS]
            shown = ", ".join(f"{ending} to {count}" for ending, count in most)
            return f"returned nothing but errors: {shown} of {calls} calls"
        refusals = sum(self.endings[str(status)] for status in CREDENTIALS)
        shut = sum(self.refused.values())
        if max(refusals / calls, shut / len(self.refused)) >= NEARLY_ALL:
            return f"refused nearly all calls for want of credentials: {refusals} of {calls}"
        return ""


def _name(ending: Ending) -> str:
    if ending.error == "not-json":
        return f"{ending.status} without JSON"
    return str(ending.error if ending.status is None else ending.status)


def note_shut(evidence: Evidence, calls: Iterable[Call]) -> None:
    """Note the refusals that ended a run: they are no calls of it, so that it can go on with other credentials."""
    forget_shut(evidence)
    for call in calls:
        if call.status in CREDENTIALS:
            evidence.count(_SHUT + canonical(call.key))


def forget_shut(evidence: Evidence) -> None:
    """Forget the refusals that ended the run before: it goes on."""
    for name, count in evidence.counters().items():
        if name.startswith(_SHUT):
            evidence.count(name, -count)


def answers_by_tool(evidence: Evidence) -> dict[str, UsefulAnswers]:
    """The answers of each tool that was called, but for probes, which send nonsense on purpose."""
    found: dict[str, UsefulAnswers] = {}
    for ending, calls in evidence.calls.endings().items():
        if ending.purpose in _MEANT:
            found.setdefault(ending.key.tool, UsefulAnswers()).take(ending, calls)
    for name, count in evidence.counters().items():
        if name.startswith(_SHUT) and count:
            key = OperationKey(*json.loads(name.removeprefix(_SHUT)))
            answers = found.setdefault(key.tool, UsefulAnswers())
            answers.endings[str(UNAUTHENTICATED)] += count
            answers.refused.setdefault(key, True)
    for answers in found.values():
        good = (call for key in sorted(answers.refused) for call in evidence.calls.select(key=key, ok=True))
        # Of most tools the first answer shows that it is none.
        answers.disguised = answers.good > 0 and all(says_error(call.body) for call in good)
    return dict(sorted(found.items()))


def useless_tools(evidence: Evidence) -> dict[str, str]:
    """The tools of which nothing can be said, and why; a tool that was never called is none of them."""
    troubles = {tool: answers.trouble for tool, answers in answers_by_tool(evidence).items()}
    return {tool: trouble for tool, trouble in troubles.items() if trouble}


def check_usefulness(evidence: Evidence, urls: Mapping[str, str], options: Sequence[str] = ()) -> None:
    """Raise UnreachableError if no tool that was called ever returned 2xx.

    `urls` are the base URLs by tool, `options` those by which a person could give the values that were wanting.
    """
    found = answers_by_tool(evidence)
    if not found or any(answers.good and not answers.disguised for answers in found.values()):
        return
    tool, answers = next(iter(found.items()))
    ending = max(sorted(answers.endings), key=lambda name: answers.endings[name], default="")
    status = int(ending) if ending.isdecimal() else None
    where, fix = urls.get(tool, tool), "check --base-url"
    if status in CREDENTIALS:
        raise CredentialsError(answers.trouble, where=where, fix="check the credentials: -H or --auth")
    if is_server_fault(status):
        fix = "check that the service is well"
    elif is_redirection(status) and (target := _redirect(evidence, tool)):
        fix += f": it redirects to {target}"
    elif is_client_error(status) and options:
        fix += f", or give values that exist: {' '.join(options)}"
    raise UnreachableError(answers.trouble, where=where, fix=f"{fix}; {listing(evidence.folder)} lists the answers")


def listing(folder: Path | str) -> str:
    """The command that lists what evidence there is in a folder."""
    return shlex.join(["docrev", "evidence", *([] if str(folder) == ".docrev" else [str(folder)])])


def _redirect(evidence: Evidence, tool: str) -> str:
    """Where the first redirect of a tool leads, without its query; "" if it does not say."""
    targets = (call.headers.get("location", "") for call in evidence.calls.select(ok=False) if call.key.tool == tool)
    return next(filter(None, targets), "").partition("?")[0]
