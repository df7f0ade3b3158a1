"""OpenAPI Overlays (1.0.0, 1.1.0): a revision as a document of its own, and anybody's applied as splices."""

from docrev.spec.overlays.application import Application, AppliedAction, apply_overlay
from docrev.spec.overlays.overlay import Overlay, OverlayAction, overlaid_spec, read_overlay
from docrev.spec.overlays.writing import overlay_of

__all__ = [
    "Application",
    "AppliedAction",
    "Overlay",
    "OverlayAction",
    "apply_overlay",
    "overlaid_spec",
    "overlay_of",
    "read_overlay",
]
