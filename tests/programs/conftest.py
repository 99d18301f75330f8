"""Builds one program through the whole chain, as a user would, and runs it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENZYME_CC = Path(sys.executable).parent / "enzyme-cc"
ENZYME_CXX = ENZYME_CC.with_name("enzyme-c++")
ENZYME_FC = ENZYME_CC.with_name("enzyme-fc")
FORTRAN = (".f90", ".F90", ".f")
SUFFIXES = (".c", ".cpp", *FORTRAN)
FORTRAN_MODULE = ROOT / "toolchain" / "include" / "enzyme" / "enzyme.f90"
CHECK = Path(__file__).parent / "fortran" / "check.f90"
CLANG = next((name for name in ("clang-22", "clang") if shutil.which(name)), "clang-22")


@dataclass(frozen=True)
class Result:
    status: int
    text: str


@dataclass(frozen=True)
class Builder:
    """A scratch directory in which one program is built."""

    folder: Path

    def run(self, *command: str | Path, seconds: int = 300) -> Result:
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=seconds,
        )
        return Result(done.returncode, done.stdout + done.stderr)

    def build(self, program: Path, *flags: str) -> Result:
        """Compiles and links a source, or a folder of sources, to the file `program`.

        In a folder, `lib_*.c` go into a static library and `plain_*.c` are compiled by plain clang. Programs in Fortran
        use the modules enzyme, which is shipped, and check, of fortran/check.f90. A line `flags: …` in the comment of a
        file, or of a folder's main file, adds flags.
        """
        if "-O0" in flags:  # checked at one level, so that the others run as users do
            flags = (*flags, "--enzyme-verify")
        main = program if program.is_file() else next(program.glob("main.c*"))
        own = re.findall(r"^(?: \*|!) flags: (.*?)(?: \*/)?$", main.read_text(), re.M)
        words = [flag for line in own for flag in line.split()]
        libraries = [word for word in words if word.startswith("-l")]  # they come last
        flags = (*flags, *(word for word in words if word not in libraries))
        if program.suffix in FORTRAN:
            return self.run(ENZYME_FC, *flags, FORTRAN_MODULE, CHECK, program, "-o", "program", *libraries)
        if program.is_file():
            return self.run(_compiler(program), *flags, program, "-o", "program", *libraries, "-lm")
        sources = sorted(path for path in program.iterdir() if path.suffix in SUFFIXES)
        inputs: list[str | Path] = []
        members: list[str | Path] = []
        for source in sources:
            compiler = _compiler(source)
            understood = [flag for flag in flags if compiler != CLANG or not flag.startswith(("--enzyme-", "-flto"))]
            done = self.run(compiler, *understood, "-c", source, "-o", f"{source.stem}.o")
            if done.status:
                return done
            (members if source.name.startswith("lib_") else inputs).append(f"{source.stem}.o")
        if members:
            assert self.run("ar", "rcs", "libmembers.a", *members).status == 0
            inputs += ["-L.", "-lmembers"]
        linker = next((_compiler(s) for s in sources if s.suffix != ".c"), ENZYME_CC)
        return self.run(linker, *flags, *inputs, "-o", "program", *libraries, "-lm")


def _compiler(source: Path) -> str | Path:
    if source.suffix in FORTRAN:
        return ENZYME_FC
    if source.suffix == ".cpp":
        return ENZYME_CXX
    return CLANG if source.name.startswith("plain_") else ENZYME_CC


@pytest.fixture
def builder(tmp_path: Path) -> Builder:
    return Builder(tmp_path)
