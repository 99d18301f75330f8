"""Programs differentiate through shared libraries that enzyme-cc links: code takes part, state is the library's."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "shared_libraries"
BIN = Path(sys.executable).parent
LIBRARY = ("-shared", "-fPIC")
NEEDS = ("-L.", "-lmodel", "-Wl,-rpath,$ORIGIN", "-lm")


@dataclass(frozen=True)
class Output:
    status: int
    text: str


@dataclass(frozen=True)
class Folder:
    """A copy of the sources, in which a test builds and runs."""

    path: Path

    def run(self, *command: str | Path) -> Output:
        words = [str(word) for word in command]
        done = subprocess.run(words, cwd=self.path, capture_output=True, text=True, timeout=300)
        return Output(done.returncode, done.stdout + done.stderr)

    def cc(self, *words: str, compiler: str = "enzyme-cc") -> Output:
        return self.run(BIN / compiler, *words)

    def library(self, *options: str, sources: Sequence[str] = ("state.c", "wave.c")) -> None:
        made = self.cc(*LIBRARY, "-O2", *options, *sources, "-o", "libmodel.so", "-lm")
        assert (made.status, made.text) == (0, "")

    def write(self, name: str, text: str) -> None:
        (self.path / name).write_text(text)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    shutil.copytree(HERE, tmp_path, dirs_exist_ok=True)
    return Folder(tmp_path)


def holds(result: Output) -> None:
    assert result.status == 0, result.text


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_state_is_the_librarys(folder: Folder, level: str) -> None:
    folder.library(level)
    holds(folder.cc(level, "main.c", *NEEDS, "-o", "main"))
    holds(folder.run("./main"))
    holds(folder.run("strip", "--strip-unneeded", "libmodel.so"))
    holds(folder.run("./main"))
    holds(folder.cc(level, "-no-pie", "main.c", *NEEDS, "-o", "main"))
    holds(folder.run("./main"))


@pytest.mark.parametrize(
    "script",
    [
        "{ global: model; set_*; calls_so_far; local: *; };",
        "/* { */ V1 { model; set_*; calls_so_far; }; V2 { local: *; } V1;",
    ],
)
def test_version_scripts_keep_what_derivatives_name(folder: Folder, script: str) -> None:
    folder.write("versions", script)
    folder.library("-Wl,--version-script=versions")
    holds(folder.cc("-O2", "main.c", *NEEDS, "-o", "main"))
    holds(folder.run("./main"))


def test_another_library_ends_the_program(folder: Folder) -> None:
    folder.library()
    holds(folder.cc("-O2", "main.c", *NEEDS, "-o", "main"))
    state = folder.path / "state.c"
    state.write_text(state.read_text().replace("calls * x", "2 * calls * x"))
    folder.library()
    done = folder.run("./main")
    assert done.status and "libmodel.so is not the library that this program was linked with [EZ0118]" in done.text
    folder.write("state.c", state.read_text().replace("static ", "").replace("other", "another"))
    holds(folder.cc("-O2", "main.c", *NEEDS, "-o", "main"))
    folder.library("--enzyme-no-library-units")
    assert "[EZ0118]" in folder.run("./main").text


@pytest.mark.parametrize("options", [("--enzyme-no-library-units",), ("-Wl,--enzyme-no-library-units",)])
def test_a_library_without_units_is_refused(folder: Folder, options: tuple[str, ...]) -> None:
    folder.library(*options)
    assert ".enzyme_units" not in folder.run("readelf", "-SW", "libmodel.so").text
    done = folder.cc("-O2", "main.c", *NEEDS, "-o", "main")
    assert done.status and "[EZ0302]" in done.text
    assert "it is defined in ./libmodel.so, a shared library without bitcode of it" in done.text.replace("\n", " ")


def test_a_library_without_units_is_the_compilers_own(folder: Folder) -> None:
    folder.library("--enzyme-no-library-units")
    ours = (folder.path / "libmodel.so").read_bytes()
    holds(folder.run("clang-22", *LIBRARY, "-O2", "state.c", "wave.c", "-o", "libmodel.so", "-lm"))
    assert (folder.path / "libmodel.so").read_bytes() == ours


def test_code_that_no_other_output_can_have_is_refused(folder: Folder) -> None:
    folder.write("more.c", '__asm__(".globl seven\\nseven: ret\\n");\ndouble more(double x) { return 7 * x; }\n')
    folder.write("use.c", "double __enzyme_autodiff(void *, double);\ndouble more(double);\n")
    with (folder.path / "use.c").open("a") as file:
        file.write("int main(void) { return __enzyme_autodiff((void *)more, 1.0) != 7; }\n")
    folder.library(sources=["more.c"])
    done = folder.cc("use.c", *NEEDS, "-o", "main")
    assert done.status and "cannot take part in a derivative, since it is in a shared library [EZ0119]" in done.text


def test_a_symbol_of_the_programs_own(folder: Folder) -> None:
    """The library may mean another definition than its bitcode shows, so it takes no part."""
    folder.library()
    folder.write("wave.c", "double wave(double x) { return x; }\n")
    done = folder.cc("-O2", "main.c", "wave.c", *NEEDS, "-o", "main")
    assert done.status and "[EZ0302]" in done.text


@pytest.mark.parametrize("configuration", ["Debug", "Release"])
def test_cmake(folder: Folder, configuration: str) -> None:
    """Virtual functions, a variable of an inline function, exceptions; also after an installation that strips."""
    toolchain = BIN.parent / "share" / "cmake" / "EnzymeCC" / "enzyme_cc.cmake"
    values = {
        "CMAKE_TOOLCHAIN_FILE": toolchain,
        "BUILD_SHARED_LIBS": "ON",
        "CMAKE_BUILD_TYPE": configuration,
        "CMAKE_INSTALL_PREFIX": folder.path / "installed",
        "CMAKE_INSTALL_LIBDIR": "lib",
        "CMAKE_INSTALL_RPATH": "$ORIGIN/../lib",
    }
    holds(folder.run("cmake", "-S", ".", "-B", "build", *(f"-D{name}={value}" for name, value in values.items())))
    holds(folder.run("cmake", "--build", "build"))
    holds(folder.run("build/main"))
    holds(folder.run("cmake", "--install", "build", "--strip"))
    holds(folder.run("installed/bin/main"))


def test_a_module_of_fortran(folder: Folder) -> None:
    folder.write("model.f90", MODULE)
    holds(folder.cc("-O2", *LIBRARY, "model.f90", "-o", "libmodel.so", compiler="enzyme-fc"))
    folder.write("main.f90", PROGRAM)
    holds(folder.cc("-O2", "main.f90", *NEEDS, "-o", "main", compiler="enzyme-fc"))
    holds(folder.run("./main"))


MODULE = """
module model
  implicit none
  real(8) :: gain = 2d0
  real(8), private :: calls = 0d0
  real(8), allocatable :: work(:)
contains
  subroutine set_gain(g)
    real(8), intent(in) :: g
    gain = g
    if (.not. allocated(work)) allocate(work(4))
  end subroutine
  real(8) function energy(x)
    real(8), intent(in) :: x(4)
    integer :: i
    calls = calls + 1
    energy = 0
    do i = 1, 4
      work(i) = gain*x(i)**2
      energy = energy + sin(work(i)) + calls*x(i)
    end do
  end function
end module
"""
PROGRAM = """
program main
  use model
  implicit none
  interface
    subroutine gradient(f, x, dx) bind(c, name="__enzyme_autodiff_gradient_8")
      interface
        real(8) function f(x)
          real(8), intent(in) :: x(4)
        end function
      end interface
      real(8) :: x(4), dx(4)
    end subroutine
  end interface
  real(8) :: x(4), dx(4), value
  x = [0.1d0, 0.4d0, 0.9d0, 1.3d0]
  dx = 0
  call set_gain(3d0)
  value = energy(x)
  call gradient(energy, x, dx)
  if (any(abs(dx - (cos(3*x**2)*6*x + 2)) > 1d-12)) error stop "wrong"
end program
"""
