"""enzyme-fc behaves as flang, with the same native code, and its objects carry bitcode fit to be differentiated."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import pytest
from elftools.elf.elffile import ELFFile

SHF_EXCLUDE = 0x80000000

MODULE = """module shapes
  implicit none
contains
  subroutine axpy(n, a, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: a, x(n)
    real(8), intent(inout) :: y(n)
    integer :: i
    do i = 1, n
      y(i) = y(i) + a * x(i)
    end do
  end subroutine
end module
"""
PROGRAM = """program main
  use shapes
  real(8) :: x(4) = 1, y(4) = 2
  call axpy(4, 3d0, x, y)
  print '(4f5.1)', y
end program
"""


# not -O0: the pipeline of a fat object removes some dead code there, so that the code comes out a little shorter
LEVELS = ["-O1", "-O2", "-O3", "-O3 -march=native -ffast-math", "-O2 -fopenmp"]


@pytest.fixture
def fortran(shell: Any) -> Any:
    shell.write("shapes.f90", MODULE)
    shell.write("main.f90", PROGRAM)
    shell.write("bad.f90", "program p\n  call\n")
    shell.write("cpp.F90", "#ifdef WITH\nsubroutine with_it\nend subroutine\n#endif\n")
    shell.write("fixed.f", "      subroutine fixed\n      end\n")
    return shell


def code_of(shell: Any, name: str) -> list[str]:
    listing = shell.check("objdump", "-dr", "--no-show-raw-insn", name).splitlines()
    return [line for line in listing if not line.startswith(name)]


@pytest.mark.parametrize("level", LEVELS)
def test_native_code_is_flangs_own(fortran: Any, flang: str, enzyme_fc: Path, level: str) -> None:
    fortran.check(flang, *level.split(), "-c", "shapes.f90", "-o", "x.o")
    expected = code_of(fortran, "x.o")
    fortran.check(enzyme_fc, *level.split(), "-c", "shapes.f90", "-o", "x.o")
    assert code_of(fortran, "x.o") == expected


@pytest.mark.parametrize("level", ["-O0", *LEVELS])
def test_bitcode_is_neither_vectorised_nor_seen_by_binutils(fortran: Any, enzyme_fc: Path, level: str) -> None:
    fortran.check(enzyme_fc, *level.split(), "-c", "shapes.f90")
    with (fortran.folder / "shapes.o").open("rb") as file:
        section = ELFFile(file).get_section_by_name(".enzybc")
        assert section["sh_type"] == "SHT_PROGBITS" and section["sh_flags"] & SHF_EXCLUDE
        text = str(llvm.parse_bitcode(section.data()))
    assert "axpy" in text
    assert level == "-O0" or "!tbaa" in text
    assert not re.search(r"<\d+ x double>", text)
    fortran.check("ar", "rcs", "libs.a", "shapes.o")
    assert "axpy" in fortran.check("nm", "-s", "libs.a")


COMMANDS = [
    "--version",
    "-E -DWITH cpp.F90",
    "-fsyntax-only shapes.f90",
    "-fsyntax-only bad.f90",
    "-c shapes.f90",
    "-c bad.f90",
    "-c missing.f90",
    "-S -O2 shapes.f90",
    "-emit-llvm -S -O2 shapes.f90",
    "-DWITH -c cpp.F90 -o with.o",
    "-c fixed.f",
    "-c shapes.f90 main.f90",
    "-module-dir mods -c shapes.f90",
    "-J mods -c shapes.f90",
    "-Jmods -O2 -c shapes.f90 -o x.o",
    "-flto -c shapes.f90",
    "shapes.f90 main.f90 -o prog",
    "-fuse-ld=lld shapes.f90 main.f90 -o prog",
    "-shared -fPIC shapes.f90 -o libshapes.so",
    "-c --no-such-option shapes.f90",
]


def _without_own_version(out: bytes) -> list[bytes]:
    """Returns the lines of --version but the last one, which names the project."""
    return [line for line in out.splitlines() if not re.match("enzyme-cc version", line.decode())]


@pytest.mark.parametrize("words", COMMANDS)
def test_same_status_messages_and_files(
    fortran: Any, fresh_shell: Callable[[str], Any], flang: str, enzyme_fc: Path, words: str
) -> None:
    results = []
    for compiler in (flang, enzyme_fc):
        shell = fresh_shell(Path(compiler).name)
        (shell.folder / "mods").mkdir()
        for source in fortran.folder.glob("*.[fF]*"):
            shell.write(source.name, source.read_text())
        result = shell.run(compiler, *words.split())
        made = {str(p.relative_to(shell.folder)) for p in shell.folder.rglob("*")}
        messages = [line.replace("enzyme-fc:", "flang-22:") for line in result.err.splitlines()]
        results.append((result.status, _without_own_version(result.out), messages, made))
        if "prog" in made:
            assert shell.check("./prog").split() == ["5.0"] * 4
    assert results[0] == results[1]


@pytest.mark.parametrize("flavour", ["bfd", "lld"])
def test_programs_carry_no_bitcode(fortran: Any, enzyme_fc: Path, flavour: str) -> None:
    fortran.check(enzyme_fc, f"-fuse-ld={flavour}", "-O2", "shapes.f90", "main.f90", "-o", "prog")
    with (fortran.folder / "prog").open("rb") as file:
        names = {section.name for section in ELFFile(file).iter_sections()}
    assert not {".enzybc", ".llvmbc", ".llvm.lto"} & names


def test_link_with_a_request_starts_the_python_stage(fortran: Any, enzyme_cc: Path, enzyme_fc: Path) -> None:
    recorder = fortran.write("python", '#!/bin/sh\nprintf "%s\\n" "$@" > recorded\n')
    recorder.chmod(0o755)
    env = {"ENZYME_CC_PYTHON": str(recorder)}
    fortran.check(enzyme_cc, "-c", "asks.c")
    fortran.check(enzyme_fc, "-fuse-ld=lld", "--enzyme-explain", "shapes.f90", "main.f90", "asks.o", "-o", "p", env=env)
    given = (fortran.folder / "recorded").read_text().split("\n")
    assert given[3].startswith("--enzyme-native-linker=/") and given[3].endswith("ld.lld")
    assert given[4].startswith("--enzyme-clang=/")
    assert given[5] == "--enzyme-explain"


@pytest.mark.parametrize("ending", ["fo", "f90.o", "x"])
def test_objects_are_objects_whatever_their_ending(fortran: Any, enzyme_fc: Path, ending: str) -> None:
    fortran.check(enzyme_fc, "-O2", "-c", "shapes.f90", "-o", f"shapes.{ending}")
    fortran.check(enzyme_fc, "-O2", f"shapes.{ending}", "main.f90", "-o", "prog")
    assert fortran.check("./prog").split() == ["5.0"] * 4
