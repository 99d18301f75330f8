"""Builds of the GNU Scientific Library from Debian's source package, by its own configure and make.

They are kept for later runs. Debian's tarball has no texts in doc/, so make is told to leave that folder out; nothing
else is changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.codebases.sources import debian_source

BIN = Path(sys.executable).parent
ENZYME_CC = BIN / "enzyme-cc"
JOBS = os.environ.get("ENZYME_CC_JOBS", str(os.cpu_count() or 1))


def plain_clang() -> str:
    """The clang that enzyme-cc runs."""
    for name in (os.environ.get("ENZYME_CC_CLANG"), "clang-22", "clang"):
        if name and shutil.which(name):
            return name
    raise FileNotFoundError("no clang-22 on PATH")


@dataclass(frozen=True)
class Build:
    """A finished build in `folder`; `seconds` of processor time that make took, with all it started."""

    folder: Path
    seconds: float

    @property
    def archives(self) -> list[Path]:
        return [self.folder / ".libs/libgsl.a", self.folder / "cblas/.libs/libgslcblas.a"]

    @property
    def shared_libraries(self) -> list[Path]:
        return [path.resolve() for archive in self.archives if (path := archive.with_suffix(".so")).exists()]


def build(work: Path, name: str, compiler: str, *options: str) -> Build:
    """Configure and make with this compiler. Raises `CalledProcessError`, and leaves the log beside the folder."""
    source = debian_source("gsl", work)
    folder = work / "gsl-builds" / f"{name}-{_identity(compiler)}"
    finished = folder / "build.json"
    if not finished.exists():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(source, folder, symlinks=True)  # copies times too: make must not find the configure script old
        log = folder.with_suffix(".log")
        _run(["./configure", f"CC={compiler}", "--quiet", *options], folder, log)
        seconds = _run(["make", f"-j{JOBS}", f"SUBDIRS={_folders_without_doc(folder)}"], folder, log)
        finished.write_text(json.dumps({"seconds": seconds}))
    return Build(folder, json.loads(finished.read_text())["seconds"])


def _identity(compiler: str) -> str:
    """Names the program, so that another one builds anew."""
    return hashlib.sha256(Path(shutil.which(compiler) or compiler).read_bytes()).hexdigest()[:12]


def _folders_without_doc(folder: Path) -> str:
    found = re.search(r"^SUBDIRS = (.*)$", (folder / "Makefile").read_text(), re.MULTILINE)
    assert found is not None
    return " ".join(word for word in found[1].split() if word != "doc")


def _run(command: Sequence[str], folder: Path, log: Path) -> float:
    with log.open("ab") as output:
        return processor_seconds(command, folder, output.fileno())


def processor_seconds(command: Sequence[str], folder: Path, output: int = subprocess.DEVNULL) -> float:
    """Run a command; return the user and system time that it and its children took."""
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime


def sections(path: Path) -> Iterator[tuple[str, set[str]]]:
    """Each member of an archive (or the one file) with its section names, as GNU readelf tells them."""
    text = subprocess.run(["readelf", "-SW", str(path)], check=True, capture_output=True, text=True).stdout
    for part in re.split(r"^File: ", text, flags=re.MULTILINE):
        names = set(re.findall(r"^ *\[ *\d+\] (\.\S+)", part, re.MULTILINE))
        if names:
            yield part.partition("\n")[0], names
