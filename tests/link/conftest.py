"""What the tests of enzyme-ld share: a scratch project that compiles, archives, links and runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from enzyme_cc.link.inputs import elf

ROOT = Path(__file__).parents[2]
CLANG = next((name for name in ("clang-22", "clang") if shutil.which(name)), "clang-22")
LINKERS = [ld for ld in ("ld.bfd", "ld.gold", "ld.lld-22", "ld.lld", "mold") if shutil.which(ld)]

EMBED = ("-Xclang", "-fembed-bitcode=all", "-Xclang", "-disable-O0-optnone")

SQUARE = "double square(double x) { return x * x; }\n"
CUBE = SQUARE.replace("x * x", "x * x * x")
MAIN = """
#include <stdio.h>
double __enzyme_autodiff(void *, double);
double square(double);
int main(void) { printf("%.3f\\n", __enzyme_autodiff((void *)square, 3.0)); return 0; }
"""


def stamped(data: bytes) -> bytes:
    """Return the object as the launcher leaves it: bitcode sections renamed and kept out of executables."""
    excluded = elf.excluded(data, frozenset({".llvmbc", ".llvmcmd"}))
    return excluded.replace(b"\0.llvmbc\0", b"\0.enzybc\0").replace(b"\0.llvmcmd\0", b"\0.enzycmd\0")


@dataclass
class Project:
    """A directory in which a test builds one program."""

    path: Path
    linker: str = shutil.which("ld") or "ld"

    def write(self, name: str, text: str) -> str:
        (self.path / name).parent.mkdir(parents=True, exist_ok=True)
        (self.path / name).write_text(text)
        return name

    def compile(self, name: str, text: str, *flags: str, stamp: bool = True, embed: bool = True) -> str:
        """Compile a source of that name and return the object's name."""
        self.write(name, text)
        target = str(Path(name).with_suffix(".o"))
        self.run(CLANG, *(EMBED if embed else ()), "-O1", *flags, "-c", name, "-o", target)
        if stamp and embed:
            (self.path / target).write_bytes(stamped((self.path / target).read_bytes()))
        return target

    def native(self, name: str, text: str, *flags: str) -> str:
        """Compile without bitcode, by gcc where it is installed."""
        self.write(name, text)
        target = str(Path(name).with_suffix(".o"))
        self.run(shutil.which("gcc") or CLANG, "-O1", *flags, "-c", name, "-o", target)
        return target

    def archive(self, name: str, *members: str, flags: str = "rcs") -> str:
        self.run("ar", flags, name, *members)
        return name

    def try_link(self, *arguments: str, enzyme: Sequence[str] = (), output: str = "program") -> Result:
        """Link with enzyme-ld through the compiler driver; return what came of it."""
        wrapper = self.path / "wrapper" / "ld"
        wrapper.parent.mkdir(exist_ok=True)
        options = " ".join(enzyme)
        wrapper.write_text(
            f'#!/bin/sh\nexec {sys.executable} -m enzyme_cc.link --enzyme-native-linker={self.linker} {options} "$@"\n'
        )
        wrapper.chmod(0o755)
        return self.try_run(CLANG, f"--ld-path={wrapper}", *arguments, "-o", output)

    def link(self, *arguments: str, enzyme: Sequence[str] = (), output: str = "program") -> str:
        """Link, check that it leaves nothing behind, and return the output's name."""
        result = self.try_link(*arguments, enzyme=enzyme, output=output)
        assert result.status == 0, result.stderr
        assert self.leftovers() == []
        return output

    def leftovers(self) -> list[str]:
        """Return temporaries that enzyme-ld left, in TMPDIR or beside the output."""
        beside = [path.name for path in self.path.rglob("*") if ".enzyme-" in path.name]
        return beside + [path.name for path in (self.path / "tmp").iterdir()]

    def output_of(self, program: str = "program") -> list[str]:
        """Run a program and return the words that it prints."""
        return self.run(f"./{program}").split()

    def sections(self, name: str) -> set[str]:
        return {section.name for section in elf.read((self.path / name).read_bytes()).sections}

    def run(self, *command: str) -> str:
        result = self.try_run(*command)
        assert result.status == 0, f"{command}: {result.stderr}"
        return result.stdout

    def try_run(self, *command: str) -> Result:
        done = subprocess.run(
            command, cwd=self.path, env=self.environment, capture_output=True, encoding="utf-8", errors="replace",
            timeout=120,
        )  # fmt: skip
        return Result(done.returncode, done.stdout, done.stderr)

    @property
    def environment(self) -> dict[str, str]:
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        return {**os.environ, "TMPDIR": str(self.path / "tmp"), "PYTHONPATH": path, "LD_LIBRARY_PATH": "."}


@dataclass(frozen=True)
class Result:
    """What a command did."""

    status: int
    stdout: str
    stderr: str


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "tmp").mkdir()
    return Project(tmp_path)


@pytest.fixture
def cached(project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Project:
    """A project whose links use a cache of their own."""
    monkeypatch.delenv("ENZYME_CC_LINK_CACHE")
    monkeypatch.setenv("ENZYME_CC_CACHE", str(tmp_path / "cache"))
    project.compile("main.c", MAIN)
    project.compile("square.c", SQUARE)
    return project
