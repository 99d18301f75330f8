"""`enzyme doctor`: what this machine has of what enzyme-cc needs, and how to get the rest."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from enzyme_cc import __version__
from enzyme_cc.cache.entries import current
from enzyme_cc.functions.sources import tool

#: compilers: our name, whether C programs need it, how to get it
_COMPILERS = [
    ("enzyme-cc", True, 'apt-get install clang-22, or pip install "enzyme-cc[clang]"'),
    ("enzyme-c++", False, 'apt-get install clang-22, or pip install "enzyme-cc[clang]"'),
    ("enzyme-fc", False, "apt-get install flang-22 (https://apt.llvm.org for older systems); only Fortran needs it"),
]
#: programs beside them: what they are for, their names, whether one is needed, how to get it
_PROGRAMS = [
    ("native linker", ["ld", "ld.lld-22", "ld.lld"], True, "apt-get install binutils, or lld-22"),
    ("other linkers", ["ld.lld-22", "ld.lld", "ld.gold", "mold"], False, "apt-get install lld-22 (-fuse-ld=lld)"),
    ("archiver", ["ar", "llvm-ar-22"], False, "apt-get install binutils; only archives need it"),
    ("archiver of -flto", ["llvm-ar-22", "llvm-ar", "gcc-ar"], False, "apt-get install llvm-22; only -flto needs it"),
    ("Rust", ["rustc"], False, "https://rustup.rs; only Rust needs it"),
]
_PACKAGES = [("llvmlite", True), ("numpy", False), ("jax", False), ("torch", False), ("numba", False)]
_VERSION = re.compile(r"(?:version |LLD |\(.*\) )?v?(\d+\.\d+[.\d]*)")
_PROGRAM = """\
extern double __enzyme_autodiff(void *, double);
double square(double x) { return x * x; }
int main(void) { return __enzyme_autodiff((void *)square, 3.0) != 6; }
"""


class Examined(NamedTuple):
    """One row: what was looked at, what was found, and how to get it. `is_needed`: C programs need it."""

    what: str
    is_good: bool
    found: str
    remedy: str = ""
    is_needed: bool = False


def examined() -> list[Examined]:
    """Returns the rows."""
    return [*_versions(), *_compilers(), *_programs(), *_packages(), *_caches(), _gradient()]


def _versions() -> Iterator[Examined]:
    yield Examined("enzyme-cc", True, f"{__version__} in {sys.prefix}")
    good = sys.version_info >= (3, 11)
    yield Examined("Python", good, sys.version.split()[0], "Python 3.11 or newer", True)


def _compilers() -> Iterator[Examined]:
    for name, is_needed, remedy in _COMPILERS:
        status, text = _said([tool(name), "--version", "--enzyme-verbose"])
        path = re.search(rf"^{re.escape(name)}: (\S+)", text, re.M)
        version = re.search(r"version (\d+)[.\d]*", text)
        if status or version is None or path is None:
            yield Examined(name, False, text.strip().split("\n")[0] or "is not there", remedy, is_needed)
            continue
        newest = "" if version[1] == "22" else "; with LLVM 22, links take less time"
        yield Examined(name, True, f"{path[1]}, {version[0]}{newest}")


def _programs() -> Iterator[Examined]:
    for what, names, is_needed, remedy in _PROGRAMS:
        found = [path for name in names if (path := shutil.which(name)) is not None]
        shown = ", ".join(f"{path} {_version(path)}".rstrip() for path in dict.fromkeys(found))
        yield Examined(what, bool(found), shown or "is not there", remedy, is_needed)


def _version(path: str) -> str:
    found = _VERSION.search(_said([path, "--version"])[1])
    return found[1] if found is not None else ""


def _packages() -> Iterator[Examined]:
    for name, is_needed in _PACKAGES:
        try:
            yield Examined(f"Python's {name}", True, importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            yield Examined(f"Python's {name}", False, "is not there", f"pip install {name}", is_needed)


def _caches() -> Iterator[Examined]:
    for kind in ("links", "functions"):
        cache = current(kind)
        count, size = cache.contents()
        writable = os.access(cache.folder, os.W_OK)
        found = f"{cache.folder}, {count} entries, {size / 1e6:.0f} MB" + ("" if writable else ", cannot be written")
        yield Examined(f"cache of {kind}", writable, found, "set ENZYME_CC_CACHE to a folder that can be written")


def _gradient() -> Examined:
    """Compiles, links and runs a gradient."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "square.c"), Path(folder, "square")
        source.write_text(_PROGRAM)
        status, text = _said([tool("enzyme-cc"), "-O1", "--enzyme-no-cache", str(source), "-o", str(program)])
        if status == 0:
            status, text = _said([str(program)])
    found = "is right" if status == 0 else text.strip() or f"ended with status {status}"
    return Examined("a gradient", status == 0, found, "mend what is missing above", True)


def _said(command: list[str]) -> tuple[int, str]:
    """Returns the status of a program, and what it printed."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120)
    except (OSError, subprocess.TimeoutExpired) as error:
        return 1, str(error)
    return done.returncode, done.stderr + done.stdout


def shown(rows: list[Examined]) -> None:
    """Prints the rows as a table."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for row in rows:
        mark = Text("ok", "green") if row.is_good else Text("MISSING" if row.is_needed else "absent", "red")
        told = row.found if row.is_good else f"{row.found}\n{row.remedy}"
        table.add_row(mark, Text(row.what), Text(told))
    Console(soft_wrap=not sys.stdout.isatty()).print(table)
