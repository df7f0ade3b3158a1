"""What differs between two specs or folders of specs, texts apart from contract: `compare`, `Diff`, `Difference`."""

from docrev.spec.diff.comparison import compare
from docrev.spec.diff.differences import Diff, Difference
from docrev.spec.diff.ids import table
from docrev.spec.diff.sources import Source

__all__ = ["Diff", "Difference", "Source", "compare", "table"]
