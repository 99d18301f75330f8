"""What becomes of one variant of a program: it is compiled, linked under a limit of processor time, run, and read."""

from __future__ import annotations

import os
import re
import resource
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from tests.codebases.builds import BIN
from tests.codebases.codebase import HERE, Codebase, Variant

_ROOT = HERE.parents[1]
_RUN_SECONDS = 300
_SMALL = 1e-3  # of a gradient's largest component: components below count as this


@dataclass(frozen=True)
class Usage:
    """What a process and those it started have used, and said."""

    status: int
    seconds: float
    megabytes: float
    output: str
    errors: str


@dataclass(frozen=True)
class Outcome:
    """What was measured of a variant; `problem` is "" if all is well.

    `functions` is the number of functions that take part, 0 if the link did not come that far; `error` is the worst
    relative error of a derivative beside differences, `ratio` the time of a gradient (in forward mode of one direction)
    over that of the function itself, the worst of all functions of the program.
    """

    label: str
    problem: str
    seconds: float
    megabytes: float
    functions: int = 0
    error: float = 0.0
    ratio: float = 0.0
    derivatives: tuple[float, ...] = ()


@dataclass(frozen=True)
class Built:
    """What programs of a code base are compiled and linked with."""

    codebase: Codebase
    includes: tuple[Path, ...]
    archives: tuple[Path, ...]


def measure(built: Built, variant: Variant, folder: Path, limit: int) -> Outcome:
    """Returns the outcome of a variant, made in `folder`; `limit` seconds of processor time are for its link."""
    linked = link_program(built, variant, folder, limit)
    done = linked
    for command in built.codebase.runs:
        if not done.problem:
            done = _joined(done, _evaluated(linked, run_program(folder, command)))
    return done


def link_program(built: Built, variant: Variant, folder: Path, limit: int) -> Outcome:
    """Compiles and links a variant in `folder`; returns what that took, and what it ended with."""
    codebase = built.codebase
    folder.mkdir(parents=True, exist_ok=True)
    compiler = BIN / ("enzyme-cc" if variant.program.suffix == ".c" else "enzyme-c++")
    includes = [f"-I{path}" for path in built.includes]
    options = [*codebase.flags, "-w", f"-I{HERE}", *includes, *variant.defines]
    compiled = _run([compiler, *options, "-c", variant.program, "-o", "program.o"], folder)
    if compiled.status:
        return _ended(variant, compiled, f"does not compile: {_first_line(compiled.errors)}")
    temps = folder / "temps"
    for old in (*temps.glob("*.ll"), folder / "program"):
        old.unlink(missing_ok=True)
    inputs = ["program.o", *built.archives, *codebase.libraries, "-o", "program"]
    linked = _run([BIN / codebase.linker, *inputs, f"--enzyme-save-temps={temps}"], folder, limit)
    (folder / "link.txt").write_text(linked.errors)
    return _ended(variant, linked, _refusal(linked, limit) if linked.status else "", _functions(temps))


def run_program(folder: Path, command: str = "./program") -> Usage:
    """Runs the program that was linked in `folder`, and keeps what it printed there."""
    done = _run([*shlex.split(command)], folder, _RUN_SECONDS)
    (folder / "run.txt").write_text(done.output + done.errors)
    return done


def _joined(before: Outcome, run: Outcome) -> Outcome:
    """Returns the outcome of a run and of those before it."""
    return replace(
        run,
        error=max(before.error, run.error),
        ratio=max(before.ratio, run.ratio),
        derivatives=before.derivatives + run.derivatives,
    )


def _evaluated(linked: Outcome, done: Usage) -> Outcome:
    found = [line.split() for line in done.output.splitlines()]
    compared = [tuple(map(float, words[3:6])) for words in found if words[:1] == ["derivative"]]
    ratios = [float(words[3]) / float(words[2]) for words in found if words[:1] == ["seconds"]]
    if not ratios or not compared or done.status < 0:
        last = (done.errors.strip().splitlines() or [f"status {done.status}, no output"])[-1]
        return replace(linked, problem=f"stops: {_ids(last) or last}")
    error = _worst(compared)
    return replace(
        linked,
        problem=f"wrong: relative error {error:.1e}" if done.status else "",
        error=error,
        ratio=max(ratios),
        derivatives=tuple(got for got, *_ in compared),
    )


def disagreement(reverse: Outcome, forward: Outcome) -> float:
    """Returns the largest relative difference of the derivatives of both modes."""
    pairs = list(zip(reverse.derivatives, forward.derivatives, strict=True))
    scale = max(max(abs(a), abs(b)) for a, b in pairs) or 1.0
    return max(abs(a - b) / max(abs(a), abs(b), _SMALL * scale) for a, b in pairs)


def _worst(compared: list[tuple[float, ...]]) -> float:
    scale = max(abs(want) for _, want, _ in compared) or 1.0
    errors = [abs(got - want) / max(abs(want), _SMALL * scale) for got, want, _ in compared]
    return float("inf") if any(error != error for error in errors) else max(errors)


def _ended(variant: Variant, usage: Usage, problem: str, functions: int = 0) -> Outcome:
    return Outcome(variant.label, problem, usage.seconds, usage.megabytes, functions)


def _refusal(linked: Usage, limit: int) -> str:
    if linked.seconds >= limit or "SIGXCPU" in linked.errors or "EZ0904" in linked.errors:
        return f"over {limit} s"
    return _ids(linked.errors) or f"does not link: {_first_line(linked.errors)}"


def _ids(text: str) -> str:
    """Returns the diagnostics that the text names."""
    return ", ".join(dict.fromkeys(re.findall(r"\[(EZ\d{4})\]", text)))


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if "error" in line), text.partition("\n")[0])


def _functions(temps: Path) -> int:
    merged = temps / "merged.ll"
    if not merged.exists():
        return 0
    with merged.open(encoding="utf-8", errors="surrogateescape") as file:
        return sum(line.startswith("define ") for line in file)


def _run(command: list[Path | str], folder: Path, limit: int | None = None) -> Usage:
    """Runs a command to its end; every process that it starts may use `limit` seconds of processor time."""
    path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
    output, errors = folder / "output.txt", folder / "errors.txt"
    with output.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            preexec_fn=_limited(limit),
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in (output, errors)]
    return Usage(process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, *texts)


def _limited(limit: int | None) -> Callable[[], None] | None:
    if limit is None:
        return None
    seconds = limit
    return lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
