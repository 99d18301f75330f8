"""Writes and reads the violations that the tree still has: each is to be mended, and none may be added.

`python -m tests.structure.known` writes the list anew.
"""

from collections import defaultdict
from pathlib import Path

LIST = Path(__file__).with_name("known_violations.txt")
KNOWN: dict[str, set[str]] = defaultdict(set)
for line in LIST.read_text().splitlines():
    KNOWN[line.partition(": ")[0]].add(line.partition(": ")[2])

if __name__ == "__main__":
    from . import test_imports, test_shape

    arrows = test_imports.graph()
    found = {
        "imports": test_imports.going_up(arrows),
        "circles": test_imports.on_circles(arrows),
        "classes": test_shape.shared_classes(),
        "modules": test_shape.shared_modules(),
    }
    lines = sorted(f"{kind}: {line}\n" for kind, lines in found.items() for line in lines)
    LIST.write_text("".join(lines))
