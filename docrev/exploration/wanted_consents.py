"""Which consent would let a run reach most: to what alone makes the things that other operations are called on."""

from __future__ import annotations

from collections.abc import Collection

from docrev.calls.permissions import opened_by_consent
from docrev.calls.policy import Policy
from docrev.calls.routes import Routes
from docrev.exploration.wanted_values import WantedValue, opening_most
from docrev.records import OperationKey
from docrev.spec import Catalog

CONSENT = "consent"
"""The location of a wanted value that is the consent of whoever runs docrev."""
MAX_CONSENTS = 3


def wanted_consents(
    missed: Collection[OperationKey], catalog: Catalog, policy: Policy, routes: Routes
) -> tuple[WantedValue, ...]:
    """The options that would open most of the `missed` operations, by what the run could make then."""
    found = [
        WantedValue(asking.key.tool, CONSENT, 1 + len(opened.intersection(missed)), asking.options[0])
        for asking, opened in opened_by_consent(catalog.operations, policy, routes)
        if asking.options and asking.key in missed and opened.intersection(missed)
    ]
    return opening_most(found, MAX_CONSENTS)
