"""Which credentials would let a run reach what was refused: by a scheme, a named header, or what nothing names."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Iterable

from docrev.calls.challenges import credential_header
from docrev.calls.redact import secret_header
from docrev.conventions.statuses import UNAUTHENTICATED
from docrev.exploration.wanted_values import WantedValue
from docrev.records import Call, OperationKey
from docrev.spec import Catalog, Operation
from docrev.spec.security import security_schemes

CREDENTIALS = "credentials"
"""The location of a wanted value that says who calls: the option tells where it goes."""
_UNNAMED = "NAME:"


def declared_header(operations: Iterable[Operation]) -> str:
    """The header of a key that is declared as a parameter, which no security scheme is; "" if there is none."""
    parameters = (parameter for operation in operations for parameter in operation.parameters)
    headers = (parameter.name for parameter in parameters if parameter.location == "header")
    return next(filter(secret_header, headers), "")


def wanted_credentials(
    missed: Collection[OperationKey], calls: Iterable[Call], catalog: Catalog
) -> tuple[WantedValue, ...]:
    """The options that give credentials to those of the `missed` operations that returned 401."""
    refusals: dict[OperationKey, Call] = {}
    for call in calls:
        if call.key in missed and call.status == UNAUTHENTICATED:
            refusals[call.key] = call
    options = Counter((key.tool, _option(catalog, catalog[key], refusals[key])) for key in sorted(refusals))
    return tuple(WantedValue(tool, CREDENTIALS, count, option) for (tool, option), count in options.items())


def _option(catalog: Catalog, operation: Operation, refusal: Call) -> str:
    """The option that gives a credential."""
    tool = f"{operation.tool}=" if len(catalog.tools) > 1 else ""
    known = [scheme.name for scheme in security_schemes(catalog) if scheme.tool == operation.tool]
    schemes = [name for name in operation.security if name in known] or known
    if schemes:
        return f"--auth {shlex.quote(f'{tool}{schemes[0]}=env:VARIABLE')}"
    declared = declared_header([operation, *catalog.operations])
    header = credential_header(refusal.headers) or (f"{declared}:" if declared else _UNNAMED)
    option = f"-H {shlex.quote(f'{tool}{header} env:VARIABLE')}"
    if header == _UNNAMED:
        option += " (neither the spec nor a response names the header: see what the API's clients send)"
    return option
