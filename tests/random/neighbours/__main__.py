"""Counts what becomes of neighbours: `python -m tests.random.neighbours KIND|all [COUNT [SEED [LEVEL...]]]`.

One line for each that is wrong or crashes; with `--refused`, also for each that is refused or stopped; then the counts.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

import click

from .build import outcomes
from .kinds import KINDS


def _reason(text: str) -> str:
    return " | ".join(re.findall(r"^ *reason: (.*)", text, re.M)[:2]) or text.strip().replace("\n", " | ")[-400:]


@click.command()
@click.argument("kinds", type=click.Choice([*KINDS, "all"]))
@click.option("--count", default=0, help="how many of each, by chance; 0: all")
@click.option("--seed", default=1)
@click.option("--level", "levels", multiple=True, default=["-O0", "-O2", "-O3"])
@click.option("--refused", "with_refused", is_flag=True)
@click.option("--name", default=".", help="those whose name has this pattern")
def main(kinds: str, count: int, seed: int, levels: list[str], with_refused: bool, name: str) -> None:
    """The status is 1 if one is wrong or crashes."""
    is_bad = False
    for kind in KINDS if kinds == "all" else [kinds]:
        chosen = [n for n in KINDS[kind].some(count, seed) if re.search(name, n.name)]
        for level in levels:
            with tempfile.TemporaryDirectory() as folder:
                found = outcomes(Path(folder), KINDS[kind], chosen, level)
            met = Counter(o.kind for o in found)
            for o in found:
                if o.kind in ("wrong", "crashed") or (with_refused and o.kind != "right"):
                    print(f"  {o.kind} {level} {o.name}: {_reason(o.detail)}", flush=True)
            print(f"{kind} {level}: " + ", ".join(f"{n} {word}" for word, n in met.most_common()), flush=True)
            is_bad |= met["wrong"] + met["crashed"] > 0
    sys.exit(is_bad)


if __name__ == "__main__":
    main()
