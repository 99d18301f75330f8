"""Round trip of LLVM IR on public code bases: is every function of GSL, LAPACK, a C++ and a Rust program kept exactly?

    python tests/codebases/ir_roundtrip.py [--work DIR] [--jobs N] [gsl lapack cpp rust]

For each module that clang, flang or rustc makes: parse every function and global; print; parse and print again, which
must give the same text; LLVM must read it, verify it, and print the very text it printed for the original (except the
comments that list predecessors). Prints instructions, and seconds per 50,000 of them.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import llvmlite.binding as llvm  # noqa: E402

from enzyme_cc.ir.module import Module  # noqa: E402
from enzyme_cc.ir.text.block_addresses import name_address_taken_blocks  # noqa: E402
from tests.codebases.sources import unpacked_source  # noqa: E402

CLANG = os.environ.get("ENZYME_CC_CLANG", "clang-22")
RUSTC = os.environ.get("ENZYME_CC_RUSTC", "rustc")
FLANG = os.environ.get("ENZYME_CC_FLANG", "flang-22")
PROGRAMS = Path(__file__).resolve().parent / "programs"


@dataclass(frozen=True)
class RoundTrip:
    """What the round trip of one module found; `problem` is "" where all is well."""

    name: str
    functions: int = 0
    instructions: int = 0
    parse_seconds: float = 0.0
    print_seconds: float = 0.0
    problem: str = ""


def check(bitcode: Path) -> RoundTrip:
    """The round trip of one bitcode file."""
    try:
        original = llvm.parse_bitcode(bitcode.read_bytes(), llvm.create_context())
        return round_trip(str(bitcode), with_named_blocks(str(original)))
    except Exception as error:  # the report names the file; nothing is hidden
        return RoundTrip(str(bitcode), problem=f"{type(error).__name__}: {error}")


def with_named_blocks(text: str) -> str:
    """The text as LLVM prints it with names for blocks whose address is taken (Module.parse gives them names)."""
    if "blockaddress(" not in text:
        return text
    return str(llvm.parse_assembly(name_address_taken_blocks(text), llvm.create_context()))


def round_trip(name: str, text: str) -> RoundTrip:
    start = time.process_time()
    module, functions, instructions = parse_all(text)
    parsed = time.process_time()
    printed = str(module)
    end = time.process_time()
    again = str(parse_all(printed)[0])
    reread = llvm.parse_assembly(printed, llvm.create_context())
    reread.verify()
    problem = ""
    if again != printed:
        problem = f"printing is no fixed point: {first_difference(printed, again)}"
    elif comparable(str(reread)) != comparable(text):
        problem = f"LLVM reads something else: {first_difference(comparable(text), comparable(str(reread)))}"
    return RoundTrip(name, functions, instructions, parsed - start, end - parsed, problem)


def parse_all(text: str) -> tuple[Module, int, int]:
    """A module with all its bodies and globals parsed; how many functions have one, how many instructions."""
    module = Module.parse(text)
    bodies = [function for function in map(module.body, module.functions) if function.blocks]
    for name in module.globals:
        module.globals[name]
    return module, len(bodies), sum(len(block.instructions) for function in bodies for block in function.blocks)


def comparable(text: str) -> str:
    """Without the module's name and the lists of predecessors, whose order is that of LLVM's use lists."""
    text = re.sub(r" *; preds = .*", "", text)
    return text.partition("\n")[2] if text.startswith("; ModuleID") else text


def first_difference(one: str, other: str) -> str:
    for left, right in zip(one.splitlines(), other.splitlines(), strict=False):
        if left != right:
            return f"\n  < {left}\n  > {right}"
    return "one text is longer"


# ------------------------------------------------------------------------------------------------ the code bases


def gsl(work: Path, jobs: int) -> Iterator[Path]:
    """Every file of GSL's library, at -O0 -g, -O1 and -O2."""
    source = unpacked_source("gsl", work)
    if not (source / "config.h").exists():
        subprocess.run(["./configure", f"CC={CLANG}", "--quiet"], cwd=source, check=True, capture_output=True)
        subprocess.run(["make", "-C", "gsl"], cwd=source, check=True, capture_output=True)
    files = [file for makefile in sorted(source.glob("*/Makefile.am")) for file in _library_sources(makefile)]
    commands = []
    for flags in ("-O0 -g", "-O1", "-O2"):
        for file in files:
            command = [CLANG, *flags.split(), "-DHAVE_CONFIG_H", "-I.", "-I..", "-w", "-c", "-emit-llvm", file.name]
            commands.append((command, file.parent, _output(work, "gsl", flags, file.relative_to(source))))
    yield from _compile(commands, jobs)


def _library_sources(makefile: Path) -> Iterator[Path]:
    text = makefile.read_text().replace("\\\n", " ")
    for names in re.findall(r"^lib\w+_la_SOURCES\s*=(.*)", text, re.MULTILINE):
        yield from (makefile.parent / name for name in names.split() if name.endswith(".c"))


def lapack(work: Path, jobs: int) -> Iterator[Path]:
    """Reference BLAS and LAPACK, at -O0 -g and -O2."""
    source = unpacked_source("lapack", work)
    modules = [source / "SRC" / name for name in ("la_constants.f90", "la_xisnan.F90")]
    files = [file for folder in ("BLAS/SRC", "SRC") for file in sorted((source / folder).glob("*.[fF]*"))]
    commands = []
    for flags in ("-O0 -g", "-O2"):
        for file in [*modules, *(file for file in files if file not in modules)]:
            output = _output(work, "lapack", flags, file.relative_to(source))
            module_folder = work / "lapack-modules"
            module_folder.mkdir(exist_ok=True)
            command = [FLANG, *flags.split(), "-J", str(module_folder), "-I", str(module_folder), "-c", "-emit-llvm"]
            commands.append(([*command, str(file)], module_folder, output))
    yield from _compile(commands[:2], 1)
    yield from _compile(commands[2:], jobs)


def cpp(work: Path, jobs: int) -> Iterator[Path]:
    """Containers, iostreams, exceptions, threads and Eigen."""
    file = PROGRAMS / "std_and_eigen.cc"
    commands = []
    for flags in ("-O0 -g", "-O1", "-O2 -march=x86-64-v3", "-O2 -march=x86-64-v4"):
        command = [CLANG, "--driver-mode=g++", "-std=c++20", *flags.split(), "-I/usr/include/eigen3", "-c"]
        commands.append(([*command, "-emit-llvm", str(file)], work, _output(work, "cpp", flags, Path(file.name))))
    yield from _compile(commands, jobs)


def rust(work: Path, jobs: int) -> Iterator[Path]:
    """Generics, traits, threads, collections and panics of Rust's standard library."""
    file = PROGRAMS / "std_and_traits.rs"
    commands = []
    for flags in ("-g", "-O -g", "-Copt-level=3 -Ctarget-cpu=x86-64-v3"):
        command = [
            RUSTC,
            "--edition=2021",
            "--cap-lints=allow",
            "--emit=llvm-bc",
            "-Ccodegen-units=1",
            *flags.split(),
            str(file),
        ]
        commands.append((command, work, _output(work, "rust", flags, Path(file.name))))
    yield from _compile(commands, jobs)


CODE_BASES: dict[str, Callable[[Path, int], Iterator[Path]]] = {"gsl": gsl, "lapack": lapack, "cpp": cpp, "rust": rust}


def _output(work: Path, name: str, flags: str, file: Path) -> Path:
    return work / "bitcode" / name / flags.replace(" ", "") / f"{str(file).replace('/', '-')}.bc"


def _compile(commands: Iterable[tuple[list[str], Path, Path]], jobs: int) -> Iterator[Path]:
    """Runs compilers, each in a folder, to an output that is kept for the next run."""
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(_compile_one, list(commands), chunksize=8)


def _compile_one(job: tuple[list[str], Path, Path]) -> Path:
    command, folder, output = job
    if not output.exists():
        output.parent.mkdir(parents=True, exist_ok=True)
        scratch = output.with_suffix(f".{os.getpid()}.tmp")
        subprocess.run([*command, "-o", str(scratch)], cwd=folder, check=True)
        scratch.rename(output)
    return output


# -------------------------------------------------------------------------------------------------------- the report


def run(names: Iterable[str], work: Path, jobs: int) -> list[RoundTrip]:
    """All modules of these code bases; prints one line for each code base and one for each problem."""
    work.mkdir(parents=True, exist_ok=True)
    problems = []
    for name in names:
        files = list(CODE_BASES[name](work, jobs))
        with ProcessPoolExecutor(jobs) as pool:
            results = list(pool.map(check, files, chunksize=4))
        bad = [result for result in results if result.problem]
        problems += bad
        print(_summary(name, results), flush=True)
        for result in bad:
            print(f"  {result.name}: {result.problem}", flush=True)
    return problems


def _summary(name: str, results: list[RoundTrip]) -> str:
    instructions = sum(result.instructions for result in results)
    parsing = sum(result.parse_seconds for result in results)
    printing = sum(result.print_seconds for result in results)
    scale = 50_000 / max(instructions, 1)
    return (
        f"{name}: {len(results)} modules, {sum(r.functions for r in results)} functions, {instructions} instructions;"
        f" 50,000 instructions parse in {parsing * scale:.2f} s and print in {printing * scale:.2f} s;"
        f" {sum(1 for result in results if result.problem)} problems"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("/tmp/enzyme-cc-codebases"))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("names", nargs="*", default=list(CODE_BASES), choices=list(CODE_BASES))
    options = parser.parse_args()
    return 1 if run(options.names, options.work, options.jobs) else 0


if __name__ == "__main__":
    sys.exit(main())
