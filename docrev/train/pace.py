"""How long a training will still take, for a line of progress."""

from __future__ import annotations

_A_MINUTE, _AN_HOUR = 60, 3600


def time_left(share: float, seconds: float) -> str:
    """`, about 2 min left` when `share` of the work took `seconds`; empty before anything is done, and at the end."""
    if not 0 < share < 1:
        return ""
    left = seconds * (1 - share) / share
    if left < 1.5 * _A_MINUTE:
        return f", about {max(1, round(left))} s left"
    if left < 1.5 * _AN_HOUR:
        return f", about {round(left / _A_MINUTE)} min left"
    return f", about {left / _AN_HOUR:.1f} h left"
