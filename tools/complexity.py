"""Check the cyclomatic complexity of every function, by radon, which also counts `and`, `or` and comprehensions.

No function may be over HARD, and fewer than MANY in all may be over SOFT. Prints those over SOFT, the worst first; the
exit code is 1 if a bound is broken. `python tools/complexity.py FOLDER...` looks at other folders than the sources.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from radon.complexity import cc_visit
from radon.visitors import Function

HARD, SOFT, MANY = 15, 12, 40
SOURCES = ("docrev", "eval", "runners")


def over(folders: list[str]) -> Iterator[tuple[int, str]]:
    """(complexity, `file:line name`) of each function over SOFT."""
    for path in sorted(path for folder in folders for path in Path(folder).rglob("*.py")):
        for block in cc_visit(path.read_text(encoding="utf-8")):
            if isinstance(block, Function) and block.complexity > SOFT:
                yield block.complexity, f"{path}:{block.lineno} {block.fullname}"


def main() -> int:
    found = sorted(over(sys.argv[1:] or list(SOURCES)), key=lambda row: (-row[0], row[1]))
    for complexity, where in found:
        print(f"{complexity:3} {where}")
    hard = sum(complexity > HARD for complexity, _ in found)
    print(f"{hard} functions over {HARD} (none allowed), {len(found)} over {SOFT} (fewer than {MANY} allowed)")
    return 1 if hard or len(found) >= MANY else 0


if __name__ == "__main__":
    sys.exit(main())
