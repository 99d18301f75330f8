"""The problems of samples/adbench: primal, gradients by hand, by us, by upstream Enzyme and by other tools.

`python -m tests.bench.adbench [--tools] [--forward] [--json FILE] [--svg FILE] [--repetitions N] [CASE…]` prints tables
of ratios, in Markdown: medians over interleaved repetitions. Each is a process of its own. It gives its first call, and
the median of its later calls (warm). Upstream's columns need the wheel of pennylane-catalyst, as for
tests/bench/gradients.py; tests/bench/peers/tools.py says what those of other tools need.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Column, Table

from .gradients import find_catalyst
from .peers.bars import bars
from .peers.programs import CLANG, FLAGS, Contender, Programs, run
from .peers.tools import NO_GRADIENT, TOOLS

NESTED = ("saddle", "particle")

# program and sizes, for calls of 0.2 to 100 ms
CASES = {
    "gmm d=10 K=25": "gmm 10 25 200",
    "gmm d=32 K=50": "gmm 32 50 40",
    "gmm d=64 K=25": "gmm 64 25 30",
    "ba": "ba 20 2000 8000",
    "lstm 2 layers": "lstm 2 300 14",
    "lstm 4 layers": "lstm 4 300 30",
    "ht simple": "hand_tracking 0 100 544",
    "ht complicated": "hand_tracking 1 100 544",
    "kmeans d=3": "kmeans 10000 5 3",
    "kmeans d=16": "kmeans 4000 10 16",
    "det 7": "det 7",
    "det 9": "det 9",
    "lse 2e4": "lse 20000",
    "lse 6e5": "lse 600000",
    "llsq m=64": "llsq 64 4000",
    "llsq m=512": "llsq 512 1000",
    "ode": "ode 20 5000",
    "brusselator": "brusselator 16 100",
    "fft 2^14": "fft 14",
    "fft 2^16": "fft 16",
    "network small": "network 32 32 64 10",
    "network large": "network 64 128 256 10",
    "nbody n=20": "nbody 20 200",
    "nbody n=200": "nbody 200 20",
    "cg n=32^2": "cg 32 50",
    "cg n=100^2": "cg 100 40",
    "kalman T=1e3": "kalman 1000",
    "kalman T=2e4": "kalman 20000",
    "black_scholes": "black_scholes 500 50",
    "sparse_solve w=4": "sparse_solve 1000 4 20",
    "sparse_solve w=16": "sparse_solve 20000 16 10",
    "roe n=4e3": "roe 4000",
    "roe n=1e5": "roe 100000",
    "heat n=50^2": "heat 50 100",
    "heat n=200^2": "heat 200 40",
    **{
        f"{program} {outer[0]}{inner[0]}": f"{program} {i} {j}"
        for program in ("saddle", "particle")
        for i, outer in enumerate(("forward", "reverse"))
        for j, inner in enumerate(("forward", "reverse"))
    },
}


@dataclass
class Samples:
    """What the repetitions of one contender took: seconds of the first call and of a later one; MB at most."""

    first: list[float] = field(default_factory=list)
    warm: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)

    def add(self, line: str) -> None:
        first, warm, kilobytes = line.split()
        self.first.append(float(first))
        self.warm.append(float(warm))
        self.memory.append(int(kilobytes) / 1024)

    def of(self, what: str) -> float:
        return statistics.median(getattr(self, what))

    def spread(self) -> float:
        """Half the distance of the quartiles, over the median."""
        if len(self.warm) < 2:
            return 0.0
        low, _, high = statistics.quantiles(self.warm, n=4)
        return (high - low) / 2 / self.of("warm")


# -- measuring

CONTENDERS = {
    "primal": Contender("primal"),
    "hand": Contender("hand"),
    "ours": Contender(),
    "no_preopt": Contender(options=("--enzyme-no-preopt",)),
    "upstream": Contender(by="upstream"),
}
OF_TOOLS = {name: Contender(by=name) for name in TOOLS}
OF_FORWARD = {
    f"{by} forward {directions}": Contender(by=by, directions=directions)
    for directions in (1, 8)
    for by in ("ours", "upstream")
}


def measure(programs: Programs, case: str, repetitions: int, contenders: dict[str, Contender]) -> dict[str, Samples]:
    """Of those contenders that the problem has, after a check of the derivative."""
    name, *sizes = CASES[case].split()
    commands: dict[str, tuple[str | Path, ...]] = {}
    for label, contender in contenders.items():
        if contender.directions and name in NO_GRADIENT:
            continue
        command = programs.command(contender, name, sizes)
        if command is None:
            continue
        checked = subprocess.run([*command, "check", *sizes], capture_output=True, text=True)
        if checked.returncode == 0:
            commands[label] = (*command, contender.what, *sizes)
        elif contender.by == "ours":
            sys.exit(f"{case}: the derivative ({label}) is wrong")
        else:
            print(f"{case}: {label} is wrong or fails: {(checked.stdout + checked.stderr)[-200:]}", file=sys.stderr)
    samples = {label: Samples() for label in commands}
    for _ in range(repetitions):
        for label, command in commands.items():
            samples[label].add(run(command).stdout)
    return samples


# -- the table

Ratio = Callable[[dict[str, Samples]], float]


def over(other: str, what: str = "warm", one: str = "ours") -> Ratio:
    return lambda s: s[one].of(what) / s[other].of(what)


# directions of one call by the problem: a Jacobian by columns counts each of them
DIRECTIONS = {"ht simple": 26, "ht complicated": 28}

COLUMNS: dict[str, Ratio] = {
    "ours / primal": over("primal"),
    "ours / hand": over("hand"),
    "ours / upstream": over("upstream"),
    "upstream, first call": over("upstream", "first"),
    "no preopt / ours": over("ours", one="no_preopt"),
    "memory / upstream": over("upstream", "memory"),
}
# problems that a column does not tell of: a descent has no primal, and knows the saddle's gradient in closed form
NOT_IN = {"ours / primal": NESTED, "ours / hand": ("saddle",)}


def row(case: str, samples: dict[str, Samples]) -> list[float | None]:
    """None where there is nothing to compare with."""
    found: list[float | None] = []
    for column, ratio in COLUMNS.items():
        if CASES[case].split()[0] in NOT_IN.get(column, ()) or ("upstream" in column and "upstream" not in samples):
            found.append(None)
        else:
            found.append(ratio(samples) / (DIRECTIONS.get(case, 1) if column == "ours / primal" else 1))
    return found


def means(rows: Iterable[list[float | None]]) -> list[float | None]:
    """Geometric ones."""
    columns = [[value for value in column if value is not None] for column in zip(*rows, strict=True)]
    return [statistics.geometric_mean(there) if there else None for there in columns]


def table(measured: dict[str, dict[str, Samples]]) -> Table:
    headers = ("case", "ours, ms", "±", *COLUMNS, "MB: ours, hand, upstream")
    made = Table(*(Column(header, no_wrap=True) for header in headers), box=box.MARKDOWN)
    rows = {case: row(case, samples) for case, samples in measured.items()}
    for case, samples in measured.items():
        ours = samples["ours"]
        memory = [f"{samples[v].of('memory'):.0f}" if v in samples else "-" for v in ("ours", "hand", "upstream")]
        time = (f"{1e3 * ours.of('warm'):.2f}", f"{ours.spread():.0%}")
        made.add_row(case, *time, *_numbers(rows[case]), ", ".join(memory))
    made.add_row("geometric mean", "", "", *_numbers(means(rows.values())), "")
    return made


def _numbers(values: list[float | None]) -> list[str]:
    return ["-" if v is None else f"{v:.2f}" for v in values]


def table_of_tools(measured: dict[str, dict[str, Samples]]) -> Table:
    """Times over ours; means also of the first call and of memory."""
    made = Table(*(Column(header, no_wrap=True) for header in ("over ours", *TOOLS)), box=box.MARKDOWN)
    rows: dict[str, list[list[float | None]]] = {what: [] for what in ("warm", "first", "memory")}
    for case, samples in measured.items():
        for what, kept in rows.items():
            kept.append([over("ours", what, tool)(samples) if tool in samples else None for tool in TOOLS])
        made.add_row(case, *_numbers(rows["warm"][-1]))
    names = {"warm": "geometric mean", "first": "of first calls", "memory": "of memory"}
    for what, kept in rows.items():
        made.add_row(names[what], *_numbers(means(kept)))
    return made


# what is measured, and over what
FORWARD_COLUMNS = {
    "1 / primal": ("ours forward 1", "primal"),
    "1 / upstream": ("ours forward 1", "upstream forward 1"),
    "8 / primal": ("ours forward 8", "primal"),
    "8 / upstream": ("ours forward 8", "upstream forward 8"),
}


def table_of_forward(measured: dict[str, dict[str, Samples]]) -> Table:
    """Of those problems that have a gradient: what it takes along 1 and 8 directions."""
    made = Table(*(Column(header, no_wrap=True) for header in ("forward", *FORWARD_COLUMNS)), box=box.MARKDOWN)
    rows = []
    for case, samples in measured.items():
        if "ours forward 1" in samples:
            pairs = FORWARD_COLUMNS.values()
            rows.append([over(below, one=above)(samples) if below in samples else None for above, below in pairs])
            made.add_row(case, *_numbers(rows[-1]))
    made.add_row("geometric mean", *_numbers(means(rows)))
    return made


def ratios_to_show(measured: dict[str, dict[str, Samples]]) -> dict[str, dict[str, float]]:
    """By case, then by what is over ours. A closed form is not shown."""
    found: dict[str, dict[str, float]] = {}
    for case, samples in measured.items():
        closed = ("hand",) if CASES[case].split()[0] in NOT_IN["ours / hand"] else ()
        others = (other for other in ("hand", "upstream", *TOOLS) if other in samples and other not in closed)
        found[case] = {other: over("ours", one=other)(samples) for other in others}
    return found


STAGES = ("trial link", "closure", "merge", "optimise", "differentiate", "finish", "emit", "final link")


def table_of_stages(links: dict[str, dict[str, Any]]) -> Table:
    """Seconds of processor time of our links, of gradients after optimisation."""
    headers = ("link, s", *STAGES, "others", "all")
    made = Table(*(Column(header, no_wrap=True) for header in headers), box=box.MARKDOWN)
    for name in (name for name in links if name.endswith(" ours")):
        told = links[name]
        seconds = {stage["name"]: stage["processor_seconds"] for stage in told["stages"]}
        whole = sum(seconds.values())
        shown = [seconds.get(stage, 0) for stage in STAGES]
        made.add_row(name.removesuffix(" ours"), *_numbers([*shown, whole - sum(shown), whole]))
    return made


def write(path: Path, measured: dict[str, dict[str, Samples]], programs: Programs) -> None:
    samples = {case: {label: asdict(s) for label, s in found.items()} for case, found in measured.items()}
    path.write_text(json.dumps({"flags": FLAGS, "cases": samples, "links": programs.links}, indent=1))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--json", type=Path, help="write all samples to this file, after each case")
    parser.add_argument("--svg", type=Path, help="write bars to this file")
    parser.add_argument("--tools", action="store_true", help=f"measure also {', '.join(TOOLS)}")
    parser.add_argument("--forward", action="store_true", help="measure also gradients' problems in forward mode")
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"among: {', '.join(CASES)}")
    wanted = parser.parse_args()
    contenders = CONTENDERS | (OF_TOOLS if wanted.tools else {}) | (OF_FORWARD if wanted.forward else {})
    measured = {}
    with tempfile.TemporaryDirectory() as name:
        catalyst = find_catalyst(Path(name))
        programs = Programs(Path(name), catalyst)
        for case in wanted.cases or CASES:
            measured[case] = measure(programs, case, wanted.repetitions, contenders)
            if wanted.json:
                write(wanted.json, measured, programs)
    tables = [table(measured)]
    tables += [table_of_tools(measured)] if wanted.tools else []
    tables += [table_of_forward(measured)] if wanted.forward else []
    for one in (*tables, table_of_stages(programs.links)):
        Console(width=240).print(one)
    if catalyst is None:
        print("upstream Enzyme: not compared, no wheel of pennylane-catalyst in $ENZYME_CC_ORACLE")
    for tool, of in TOOLS.items() if wanted.tools else ():
        if not of.found(CLANG):
            print(f"{tool}: not compared, it is not there; {of.source}")
    if wanted.svg:
        wanted.svg.write_text(bars(ratios_to_show(measured)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
