"""Builds of code bases from Debian's source packages, by their own build systems, kept for later runs."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.codebases.codebase import Codebase
from tests.codebases.sources import debian_headers, unpacked_source

JOBS = os.environ.get("ENZYME_CC_JOBS", str(os.cpu_count() or 1))
BIN = Path(sys.executable).parent
ENZYME_CC = BIN / "enzyme-cc"
_TOOLCHAIN = BIN.parent / "share" / "cmake" / "EnzymeCC" / "enzyme_cc.cmake"
_MAKE = re.compile(r"make\b|cmake --build\b")
_PROGRAM = re.compile(r"\$\{?(?:CC|CXX|FC)\b")
_CODE = {".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".f", ".f90", ".F90", ".F", ".tcc", ".inc"}


def plain_clang() -> str:
    """Returns the clang that enzyme-cc runs. Raises `FileNotFoundError`."""
    return _plain("ENZYME_CC_CLANG", "clang-22", "clang")


def _plain(variable: str, *names: str) -> str:
    for name in (os.environ.get(variable), *names):
        if name and shutil.which(name):
            return name
    raise FileNotFoundError(f"no {names[0]} on PATH")


@dataclass(frozen=True)
class Compilers:
    """The compilers of a build; `name` tells builds by them apart."""

    name: str
    environment: Mapping[str, str]


def enzyme() -> Compilers:
    """Returns the project's compilers. The name changes with the launcher: another one builds anew."""
    programs = {"CC": "enzyme-cc", "CXX": "enzyme-c++", "FC": "enzyme-fc"}
    paths = {variable: str(BIN / program) for variable, program in programs.items()}
    identity = hashlib.sha256(ENZYME_CC.read_bytes()).hexdigest()[:12]
    return Compilers(f"enzyme-{identity}", {**paths, "CMAKE_TOOLCHAIN_FILE": str(_TOOLCHAIN)})


def plain() -> Compilers:
    """Returns the compilers that the project's run."""
    cxx = _plain("ENZYME_CC_CLANGXX", "clang++-22", "clang++")
    fc = _plain("ENZYME_CC_FLANG", "flang-22", "flang")
    return Compilers("plain", {"CC": plain_clang(), "CXX": cxx, "FC": fc})


@dataclass(frozen=True)
class Build:
    """A finished build in `folder`; `seconds` of processor time that make took, with all it started."""

    folder: Path
    seconds: float


def build(codebase: Codebase, work: Path, compilers: Compilers) -> Build:
    """Builds a code base in a copy of its source. Raises `CalledProcessError`, and leaves the log beside the folder."""
    commands = hashlib.sha256("\n".join(codebase.build).encode()).hexdigest()[:6]
    folder = work / "builds" / codebase.name / f"{compilers.name}-{commands}"
    finished = folder / "build.json"
    if not finished.exists():
        shutil.rmtree(folder, ignore_errors=True)
        if codebase.source:  # copies times too: make must not find the configure script old
            shutil.copytree(unpacked_source(codebase.source, work), folder, symlinks=True)
        folder.mkdir(parents=True, exist_ok=True)
        environment = _environment(codebase, work, compilers)
        seconds = _run(codebase.build, folder, environment, folder.with_suffix(".log"))
        finished.write_text(json.dumps({"seconds": seconds}))
    return Build(folder, json.loads(finished.read_text())["seconds"])


def own_tests(codebase: Codebase, work: Path, compilers: Compilers) -> bool:
    """Builds and runs the code base's own tests in the folder of its build, and leaves the log beside it."""
    folder = build(codebase, work, compilers).folder
    try:
        _run(codebase.tests, folder, _environment(codebase, work, compilers), folder.with_suffix(".tests.log"))
    except subprocess.CalledProcessError:
        return False
    return True


def _environment(codebase: Codebase, work: Path, compilers: Compilers) -> dict[str, str]:
    environment = {**os.environ, **compilers.environment, "MAKEFLAGS": f"-j{JOBS}"}
    if codebase.headers:
        environment["HEADERS"] = str(debian_headers(codebase.headers, work))
    return environment


def _run(commands: Sequence[str], folder: Path, environment: Mapping[str, str], log: Path) -> float:
    """Returns the processor time of the commands that compile: configuring is no part of it."""
    seconds = 0.0
    with log.open("wb") as output:
        for command in commands:
            output.write(f"$ {command}\n".encode())
            output.flush()
            used = processor_seconds(["sh", "-ec", command], folder, output.fileno(), environment)
            seconds += used if _MAKE.match(command) or _PROGRAM.match(command) else 0
    return seconds


def processor_seconds(
    command: Sequence[str], folder: Path, output: int = subprocess.DEVNULL, environment: Mapping[str, str] | None = None
) -> float:
    """Runs a command; returns the user and system time that it and its children took. Raises `CalledProcessError`."""
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime


def lines_of_code(codebase: Codebase, folder: Path) -> int:
    """Returns the number of lines, without empty ones, of the code base's own sources and headers."""
    files = {f for pattern in codebase.code for f in folder.glob(pattern) if f.suffix in _CODE and f.is_file()}
    return sum(sum(1 for line in f.read_bytes().splitlines() if line.strip()) for f in files)


def sections(path: Path) -> Iterator[tuple[str, set[str]]]:
    """Yields each member of an archive (or the one file) with its section names, as GNU readelf tells them."""
    text = subprocess.run(["readelf", "-SW", str(path)], check=True, capture_output=True, text=True).stdout
    for part in re.split(r"^File: ", text, flags=re.MULTILINE):
        names = set(re.findall(r"^ *\[ *\d+\] (\.\S+)", part, re.MULTILINE))
        if names:
            yield part.partition("\n")[0], names
