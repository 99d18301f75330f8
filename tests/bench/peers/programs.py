"""The programs that tests/bench/adbench.py measures: each problem of samples/adbench, by each tool."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable
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
class Contender:
    """What of a problem a column measures."""

    what: str = "derivative"
    by: str = "ours"  # or upstream, or one of TOOLS
    options: tuple[str, ...] = ()  # of our link
    directions: int = 0  # of forward requests in the place of reverse ones

    @property
    def program(self) -> str:
        options = (option.removeprefix("--enzyme-") for option in self.options)
        return "-".join((self.by, *options, *(f"forward{self.directions}",) * (self.directions > 0)))

    def source(self, name: str) -> tuple[Path, tuple[str, ...]]:
        """What to compile in the place of the problem, and with which flags."""
        reads = ("-std=c++17", f"-I{SAMPLE}", f'-DPROBLEM="{name}.cpp"')
        if self.directions:
            return HERE / "forward.cpp", (*reads, f"-DDIRECTIONS={self.directions}")
        of = TOOLS.get(self.by)
        if isinstance(of, Overloading):
            return OVERLOADING / "overloading.cpp", (*reads, *SEARCHED[:1], "-DNDEBUG", f'-DTOOL="{of.adapter}"')
        if isinstance(of, Arrays):
            return OVERLOADING / "arguments.cpp", reads
        return SAMPLE / f"{name}.cpp", ()


def kernels(name: str) -> list[Path]:
    """What a problem has in Fortran."""
    return list(SAMPLE.glob(f"{name}_kernel.f90"))


def run(words: Iterable[str | Path]) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(list(words), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{words} failed: {done.stdout}{done.stderr}")
    return done


class Programs:
    """Built once each, in a folder; and what our links took."""

    def __init__(self, folder: Path, catalyst: Path | None) -> None:
        self.folder = folder
        self.catalyst = catalyst
        self.links: dict[str, Any] = {}  # by program: what --enzyme-timings=json told
        self.kept: dict[tuple[str, str], Path | None] = {}
        run((tool("enzyme-c++"), *FLAGS, "-c", SAMPLE / "main.cpp", "-o", folder / "main.o"))

    def command(self, contender: Contender, name: str, sizes: list[str]) -> tuple[str | Path, ...] | None:
        """What to run, but for its last words (what to do, and the sizes); None where there is no such program."""
        program = self.of(contender, name)
        if program is None:
            return None
        by = TOOLS.get(contender.by)
        if not isinstance(by, Arrays):
            return (program,)
        arguments = self.folder / "-".join((name, *sizes))
        if not arguments.exists():
            run((program, arguments, *sizes))
        return sys.executable, "-m", "tests.bench.peers.array_frameworks", by.module, name, arguments

    def of(self, contender: Contender, name: str) -> Path | None:
        key = name, contender.program
        if key not in self.kept:
            self.kept[key] = self.build(contender, name)
        return self.kept[key]

    def build(self, contender: Contender, name: str) -> Path | None:
        """None if the tool is not there, or does not differentiate the problem."""
        if contender.by == "upstream":
            return self.by_upstream(contender, name) if self.catalyst else None
        if contender.by == "ours":
            return self.by_ours(contender, name)
        by = TOOLS[contender.by]
        if not by.found(CLANG) or (name in NOT_OVERLOADED if isinstance(by, Overloading) else name not in PROBLEMS):
            return None
        return self.by_tool(contender, name)

    def by_ours(self, contender: Contender, name: str) -> Path:
        program, objects = self.folder / f"{name}-{contender.program}", [self.folder / "main.o"]
        source, flags = contender.source(name)
        objects.append(program.with_suffix(".o"))
        run((tool("enzyme-c++"), *FLAGS, *flags, "-c", source, "-o", objects[-1]))
        for kernel in kernels(name):
            objects.append(self.folder / f"{kernel.stem}.o")
            run((tool("enzyme-fc"), *FLAGS, "-c", kernel, "-o", objects[-1]))
        words = (*FLAGS, "--enzyme-no-cache", "--enzyme-timings=json", *contender.options, *objects, "-o", program)
        told = run((tool("enzyme-c++"), *words)).stderr.splitlines()
        self.links[f"{name} {contender.program}"] = json.loads(next(line for line in told if line.startswith("{")))
        return program

    def by_tool(self, contender: Contender, name: str) -> Path:
        """Its source is compiled without warnings: these are headers of others."""
        program, (source, flags), by = (
            self.folder / f"{name}-{contender.program}",
            contender.source(name),
            TOOLS[contender.by],
        )
        objects = [source]
        for kernel in kernels(name):
            objects.append(self.folder / f"{kernel.stem}-plain.o")
            run((FLANG, *FLAGS, "-c", kernel, "-o", objects[-1]))
        link: tuple[str | Path, ...] = ()
        if isinstance(by, Overloading):
            link = (self.folder / "main.o", *SEARCHED[1:], *by.libraries)
        run((CLANG, *FLAGS, *flags, "-w", *objects, *link, "-o", program))
        return program

    def by_upstream(self, contender: Contender, name: str) -> Path | None:
        work = self.folder / f"{name}-{contender.program}.files"
        work.mkdir()
        unoptimised = ("-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm")
        (work / "one.h").write_text(_ONE_REVERSE_REQUEST)
        source, flags = contender.source(name)
        emitted = [work / f"{name}.ll"]
        run((CLANG, *FLAGS, *flags, *unoptimised, "-include", work / "one.h", source, "-o", emitted[0]))
        for kernel in kernels(name):
            emitted.append(work / f"{kernel.stem}.ll")
            run((FLANG, *FLAGS, "-S", "-emit-llvm", kernel, "-o", emitted[-1]))
        run((LINK, "-S", *emitted, "-o", work / "in.ll"))
        # it goes on to read MLIR, of which there is none, after the file wanted is written
        lower = (self.catalyst or "", "in.ll", "--tool=all", "--keep-intermediate", "-o", "out.ll")
        subprocess.run(lower, cwd=work, capture_output=True)
        made = next(iter(work.rglob("2_AfterEnzymePasses.ll")), None)
        if made is None:
            return None
        made.write_text(re.sub(r"\bwritable\b", "", made.read_text()))
        program = self.folder / f"{name}-{contender.program}"
        link = (CLANG, *FLAGS, "-Wno-override-module", made, self.folder / "main.o", "-o", program)
        done = subprocess.run(link, capture_output=True)
        return program if done.returncode == 0 else None
