"""Without clang: the compilers and C libraries of PyPI's package ziglang, also for another architecture."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import ziglang

import enzyme_cc
from enzyme_cc.functions import wrapper
from enzyme_cc.functions.entry_points import VJP, EntryForm

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "tests" / "programs"
PREFIX = Path(sys.prefix)
ARM_LIBRARIES = Path("/usr/aarch64-linux-gnu")

GRADIENT = """#include <math.h>
#include <stdio.h>
extern double __enzyme_autodiff(void *, double);
double f(double x) { return sin(x * x); }
int main(void) {
    double error = __enzyme_autodiff((void *)f, 1.5) - 3 * cos(2.25);
    printf("%g\\n", error);
    return fabs(error) > 1e-15;
}
"""
VECTOR = """#include <cmath>
#include <iostream>
#include <stdexcept>
#include <vector>
extern "C" double __enzyme_autodiff(void *, double);
static double f(double x) {
    std::vector<double> powers;
    for (int i = 0; i < 5; i++)
        powers.push_back(i ? powers.back() * x : 1);
    double sum = 0;
    for (double power : powers)
        sum += power;
    return sum;
}
int main() {
    double error = __enzyme_autodiff((void *)f, 1.5) - (1 + 2 * 1.5 + 3 * 2.25 + 4 * 3.375);
    std::cout << error << "\\n";
    try {
        std::vector<int>().at(3);
    } catch (const std::out_of_range &) {
        return std::fabs(error) > 1e-12;
    }
}
"""

ENERGY = """double energy(const double *x, int n, double a) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return a * sum;
}
"""
CALL_OF_ENTRY_POINT = """#include <stdint.h>
#include <stdio.h>
int enzyme_cc_vjp(void *const *, const int64_t *);
int main(void) {
    double x[] = {1, 2, 3}, a = 2, value, one = 1, dx[3], da;
    void *buffers[] = {x, &a, &value, &one, dx, &da};
    int64_t size = 3;
    int status = enzyme_cc_vjp(buffers, &size);
    printf("%d %g %g %g %g %g\\n", status, value, dx[0], dx[1], dx[2], da);
}
"""

# What an architecture decides: how structs and variable arguments are passed, and which bitcode is shipped.
CROSS_COMPILED = [
    "calls/variadic_print.c",
    "calls/variadic_structs.c",
    "arithmetic/complex_by_struct.c",
    "libraries/library_sort.c",
    "modes/virtual_reverse.c",
    "types/struct_by_value.c",
    "types/struct_of_floats.c",
    "types/struct_of_mixed_words.c",
]
# Mixed structs beside pointers, and long double, are refused: their derivatives would be lost.
CROSS_REFUSED = ["types/struct_returned.c", "calls/variadic_sum.c"]


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory, clang: str) -> Path:
    """An installation whose launcher knows of no versioned clang, beside the ziglang of this environment."""
    folder = tmp_path_factory.mktemp("prefix")
    packages = folder / "lib" / "python3" / "site-packages"
    tools = folder / "libexec" / "enzyme-cc" / "ziglang"
    for made in (folder / "bin", packages, tools):
        made.mkdir(parents=True)
    (packages / "ziglang").symlink_to(Path(ziglang.__file__).parent)
    (folder / "include").symlink_to(PREFIX / "include")
    launcher = folder / "launcher"
    sources = sorted((ROOT / "toolchain" / "launcher").glob("*.c"))
    words = [clang, "-D_GNU_SOURCE", "-DNEWEST_LLVM=13", *map(str, sources), "-o", str(launcher)]
    assert os.spawnvp(os.P_WAIT, clang, words) == 0
    for place in (folder / "bin", tools):
        for name in {"bin": ["enzyme-cc", "enzyme-c++", "enzyme-fc", "enzyme-ld"]}.get(
            place.name, ["clang", "clang++", "ld.lld"]
        ):
            shutil.copy(launcher, place / name)
    return folder


@pytest.fixture
def alone(shell: Any, prefix: Path) -> Any:
    """A shell without clang on PATH. Libraries that ziglang made stay for the next run."""
    cache = os.environ.get("XDG_CACHE_HOME", str(ROOT / "build" / "cache"))
    shell.environment = {"PATH": str(shell.folder), "ENZYME_CC_PYTHON": sys.executable, "XDG_CACHE_HOME": cache}
    shell.write("gradient.c", GRADIENT)
    shell.write("vector.cpp", VECTOR)
    return shell


def test_clang_on_path_comes_first(alone: Any, prefix: Path) -> None:
    assert "ziglang" in alone.check(prefix / "bin" / "enzyme-cc", "--version")
    alone.write("clang", "#!/bin/sh\necho clang on PATH\n").chmod(0o755)
    assert alone.check(prefix / "bin" / "enzyme-cc", "--version").startswith("clang on PATH\n")


def test_fortran_says_what_is_missing(alone: Any, prefix: Path) -> None:
    result = alone.run(prefix / "bin" / "enzyme-fc", "-c", "a.f90")
    assert result.status == 1
    assert "no flang found" in result.err and "PyPI has clang, but no flang" in result.err


def test_without_ziglang_the_error_says_how_to_install_it(alone: Any, prefix: Path) -> None:
    elsewhere = alone.folder / "elsewhere" / "bin"
    elsewhere.mkdir(parents=True)
    shutil.copy(prefix / "launcher", elsewhere / "enzyme-cc")
    assert 'pip install "enzyme-cc[clang]"' in alone.run(elsewhere / "enzyme-cc", "-c", "a.c").err


def test_gradient_with_the_libraries_of_this_machine(alone: Any, prefix: Path) -> None:
    alone.check(prefix / "bin" / "enzyme-cc", "-O2", "gradient.c", "-o", "gradient", "-lm")
    alone.check("./gradient")


@pytest.mark.parametrize("flags", [["-O2"], ["-O0", "-g"], ["-O2", "-fno-pie", "-no-pie"]])
def test_gradient_with_the_libraries_of_ziglang(alone: Any, prefix: Path, flags: list[str]) -> None:
    cc = prefix / "bin" / "enzyme-cc"
    alone.check(cc, "--target=x86_64-linux-gnu", *flags, "-c", "gradient.c")
    shown = alone.run(
        cc, "--target=x86_64-linux-gnu", *flags, "gradient.o", "-o", "gradient", "-lm", "--enzyme-verbose"
    )
    assert shown.status == 0, shown.err
    assert "/usr/include" not in shown.err and " /lib/x86_64-linux-gnu" not in shown.err
    alone.check("./gradient")


def test_shared_library_is_loaded_by_python(alone: Any, prefix: Path) -> None:
    cc = prefix / "bin" / "enzyme-cc"
    alone.check(cc, "--target=x86_64-linux-gnu", "-fPIC", "-shared", "asks.c", "-o", "libasks.so")
    program = (
        "import ctypes; f = ctypes.CDLL('./libasks.so').slope; f.restype = ctypes.c_double;"
        " print(f(ctypes.c_double(3)))"
    )
    assert alone.check(sys.executable, "-c", program) == "6.0\n"


@pytest.mark.slow  # zig compiles libc++ once: a minute
def test_cxx_gradient(alone: Any, prefix: Path) -> None:
    alone.seconds = 600
    alone.check(prefix / "bin" / "enzyme-c++", "--target=x86_64-linux-gnu", "-O2", "vector.cpp", "-o", "vector")
    alone.check("./vector")


def needs_emulator(test: Any) -> Any:
    for is_missing, package in (
        (not ARM_LIBRARIES.exists(), "libc6-arm64-cross"),
        (not shutil.which("qemu-aarch64"), "qemu-user"),
    ):
        test = pytest.mark.skipif(is_missing, reason=f"Debian's package {package} is not installed")(test)
    return test


@needs_emulator
@pytest.mark.slow  # zig compiles libc++ once: a minute
def test_cxx_gradient_for_aarch64(alone: Any, prefix: Path) -> None:
    alone.seconds = 600
    alone.check(prefix / "bin" / "enzyme-c++", "--target=aarch64-linux-gnu", "-O2", "vector.cpp", "-o", "vector")
    alone.check(shutil.which("qemu-aarch64"), "-L", ARM_LIBRARIES, "./vector")


@needs_emulator
def test_entry_points_of_python_for_aarch64(alone: Any, prefix: Path) -> None:
    """What `enzyme_cc.function` compiles and calls; a call in C stands for Python."""
    energy = alone.write("energy.c", ENERGY)
    interface = enzyme_cc.function(energy, "energy", "x[n], n, a -> return").interface
    alone.write("vjp.c", wrapper.source(interface, (EntryForm(VJP),)))
    alone.write("main.c", CALL_OF_ENTRY_POINT)
    cc = [prefix / "bin" / "enzyme-cc", "--target=aarch64-linux-gnu"]
    alone.check(*cc, "-O2", "-fPIC", "-shared", "energy.c", "vjp.c", "-o", "libenergy.so")
    alone.check(*cc, "main.c", "libenergy.so", "-Wl,-rpath,.", "-o", "main")
    assert alone.check(shutil.which("qemu-aarch64"), "-L", ARM_LIBRARIES, "./main") == "0 28 4 8 12 14\n"


@needs_emulator
@pytest.mark.parametrize("program", CROSS_COMPILED)
def test_program_for_aarch64(alone: Any, prefix: Path, program: str) -> None:
    cc = prefix / "bin" / "enzyme-cc"
    alone.check(cc, "--target=aarch64-linux-gnu", "-O2", PROGRAMS / program, "-o", "program", "-lm")
    alone.check(shutil.which("qemu-aarch64"), "-L", ARM_LIBRARIES, "./program")


@pytest.mark.parametrize("program", CROSS_REFUSED)
def test_program_refused_for_aarch64(alone: Any, prefix: Path, program: str) -> None:
    cc = prefix / "bin" / "enzyme-cc"
    result = alone.run(cc, "--target=aarch64-linux-gnu", "-O2", PROGRAMS / program, "-o", "program", "-lm")
    assert result.status == 1 and "EZ0304" in result.err


def test_program_for_another_architecture_is_refused(alone: Any, prefix: Path) -> None:
    cc = prefix / "bin" / "enzyme-cc"
    alone.check(cc, "--target=riscv64-linux-gnu", "-fPIC", "-c", "asks.c")
    result = alone.run(prefix / "bin" / "enzyme-ld", "-m", "elf64lriscv", "-shared", "asks.o", "-o", "libasks.so")
    assert result.status == 1 and "EZ0112" in result.err and "riscv64" in result.err
