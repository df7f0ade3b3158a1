"""Two bundled services on loopback, for trying docrev out and for its tests (extra `sandbox`).

Their published specs, faults and all, are in `docrev.specs`; the full truth about each stands beside its code.
"""

from docrev.sandbox.serve import SERVICES, serve

__all__ = ["SERVICES", "serve"]
