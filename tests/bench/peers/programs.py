"""The programs that tests/bench/adbench.py measures: each problem of samples/adbench, by each tool."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..gradients import tool
from .array_problems import PROBLEMS
from .tools import HERE, NOT_OVERLOADED, OVERLOADING, SEARCHED, TOOLS, Arrays, Overloading

SAMPLE = HERE.parents[2] / "samples" / "adbench"
FLAGS = ("-O3", "-march=native")
CLANG, FLANG, LINK = "clang++-22", "flang-22", "llvm-link-22"
# catalyst runs Enzyme only where there is a request in reverse mode
_ONE_REVERSE_REQUEST = """
extern "C" double __enzyme_autodiff(void *, ...);
static double enzyme_square(double x) { return x * x; }
double enzyme_twice(double x) { return __enzyme_autodiff((void *)enzyme_square, x); }
"""


@dataclass(frozen=True)
class Variant:
    """What of a problem a column measures."""

    what: str = "derivative"
    by: str = "ours"  # or upstream, or one of TOOLS
    options: tuple[str, ...] = ()  # of our link
    directions: int = 0  # of forward requests in the place of reverse ones

    @property
    def program(self) -> str:
        return "-".join((self.by, *self.options, *(f"forward{self.directions}",) * (self.directions > 0)))

    def source(self, name: str) -> tuple[Path, tuple[str, ...]]:
        """What to compile in the place of the problem, and with which flags."""
        problem, reads = f'-DPROBLEM="{name}.cpp"', ("-std=c++17", f"-I{SAMPLE}")
        if self.directions:
            return HERE / "forward.cpp", (*reads, problem, f"-DDIRECTIONS={self.directions}")
        of = TOOLS.get(self.by)
        if isinstance(of, Overloading):
            return OVERLOADING / "overloading.cpp", (
                *reads,
                *SEARCHED[:1],
                "-DNDEBUG",
                problem,
                f'-DTOOL="{of.adapter}"',
            )
        if isinstance(of, Arrays):
            return OVERLOADING / "arguments.cpp", (*reads, problem)
        return SAMPLE / f"{name}.cpp", ()


def kernels(name: str) -> list[Path]:
    """What a problem has in Fortran."""
    return list(SAMPLE.glob(f"{name}_kernel.f90"))


def run(*words: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{words} failed: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


class Programs:
    """Built once each, in a folder; and what our links took."""

    def __init__(self, folder: Path, catalyst: Path | None) -> None:
        self.folder = folder
        self.catalyst = catalyst
        self.links: dict[str, Any] = {}  # by program: what --enzyme-timings=json told
        self.kept: dict[tuple[str, str], Path | None] = {}
        run(tool("enzyme-c++"), *FLAGS, "-c", SAMPLE / "main.cpp", "-o", folder / "main.o")

    def command(self, variant: Variant, name: str, sizes: list[str]) -> tuple[str | Path, ...] | None:
        """What to run, but for its last words (what to do, and the sizes); None where there is no such program."""
        program = self.of(variant, name)
        if program is None:
            return None
        by = TOOLS.get(variant.by)
        if not isinstance(by, Arrays):
            return (program,)
        arguments = self.folder / "-".join((name, *sizes))
        if not arguments.exists():
            run(program, arguments, *sizes)
        return sys.executable, "-m", "tests.bench.peers.array_frameworks", by.module, name, arguments

    def of(self, variant: Variant, name: str) -> Path | None:
        key = name, variant.program
        if key not in self.kept:
            self.kept[key] = self.build(variant, name)
        return self.kept[key]

    def build(self, variant: Variant, name: str) -> Path | None:
        """None if the tool is not there, or does not differentiate the problem."""
        if variant.by == "upstream":
            return self.by_upstream(variant, name) if self.catalyst else None
        if variant.by == "ours":
            return self.by_ours(variant, name)
        by = TOOLS[variant.by]
        if not by.found(CLANG) or (name in NOT_OVERLOADED if isinstance(by, Overloading) else name not in PROBLEMS):
            return None
        return self.by_tool(variant, name)

    def by_ours(self, variant: Variant, name: str) -> Path:
        program, objects = self.folder / f"{name}-{variant.program}", [self.folder / "main.o"]
        source, flags = variant.source(name)
        objects.append(program.with_suffix(".o"))
        run(tool("enzyme-c++"), *FLAGS, *flags, "-c", source, "-o", objects[-1])
        for kernel in kernels(name):
            objects.append(self.folder / f"{kernel.stem}.o")
            run(tool("enzyme-fc"), *FLAGS, "-c", kernel, "-o", objects[-1])
        words = (*FLAGS, "--enzyme-no-cache", "--enzyme-timings=json", *variant.options, *objects, "-o", program)
        told = run(tool("enzyme-c++"), *words)
        self.links[program.name] = json.loads(next(line for line in told.splitlines() if line.startswith("{")))
        return program

    def by_tool(self, variant: Variant, name: str) -> Path:
        """Its source is compiled without warnings: these are headers of others."""
        program, (source, flags), by = (
            self.folder / f"{name}-{variant.program}",
            variant.source(name),
            TOOLS[variant.by],
        )
        objects = [source]
        for kernel in kernels(name):
            objects.append(self.folder / f"{kernel.stem}-plain.o")
            run(FLANG, *FLAGS, "-c", kernel, "-o", objects[-1])
        link: tuple[str | Path, ...] = ()
        if isinstance(by, Overloading):
            link = (self.folder / "main.o", *SEARCHED[1:], *by.libraries)
        run(CLANG, *FLAGS, *flags, "-w", *objects, *link, "-o", program)
        return program

    def by_upstream(self, variant: Variant, name: str) -> Path | None:
        work = self.folder / f"{name}-{variant.program}.files"
        work.mkdir()
        unoptimised = ("-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm")
        (work / "one.h").write_text(_ONE_REVERSE_REQUEST)
        source, flags = variant.source(name)
        emitted = [work / f"{name}.ll"]
        run(CLANG, *FLAGS, *flags, *unoptimised, "-include", work / "one.h", source, "-o", emitted[0])
        for kernel in kernels(name):
            emitted.append(work / f"{kernel.stem}.ll")
            run(FLANG, *FLAGS, "-S", "-emit-llvm", kernel, "-o", emitted[-1])
        run(LINK, "-S", *emitted, "-o", work / "in.ll")
        # it goes on to read MLIR, of which there is none, after the file wanted is written
        lower = (self.catalyst or "", "in.ll", "--tool=all", "--keep-intermediate", "-o", "out.ll")
        subprocess.run(lower, cwd=work, capture_output=True)
        made = next(iter(work.rglob("2_AfterEnzymePasses.ll")), None)
        if made is None:
            return None
        made.write_text(re.sub(r"\bwritable\b", "", made.read_text()))
        program = self.folder / f"{name}-{variant.program}"
        link = (CLANG, *FLAGS, "-Wno-override-module", made, self.folder / "main.o", "-o", program)
        done = subprocess.run(link, capture_output=True)
        return program if done.returncode == 0 else None
