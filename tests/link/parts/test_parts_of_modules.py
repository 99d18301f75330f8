"""A module that is compiled in parts makes the same program as the whole module."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from enzyme_cc.cache.entries import Cache
from enzyme_cc.ir import llvm_passes
from enzyme_cc.ir.back_ends import InProcess
from enzyme_cc.link.inputs.module_text import ModuleText
from enzyme_cc.link.merged_module.kept_objects import KeptObjects
from enzyme_cc.link.merged_module.parts.made_parts import PartCompiler
from enzyme_cc.link.merged_module.parts.part_texts import SHARED, part_texts
from enzyme_cc.link.merged_module.parts.partition import partition
from enzyme_cc.link.merged_module.parts.sizes import Sizes
from enzyme_cc.link.native.run_linker import joined
from enzyme_cc.link.process.scratch import Scratch

from ..conftest import CLANG

TINY = Sizes(whole=0, least=1, most=2, small=10, called_once=20)

# What must stay together, what may be copied, and what becomes hidden.
SOURCE = r"""
#include <cstdio>
#include <stdexcept>
#include <string>

template <class T> struct Shape { virtual T area() const { return 0; } virtual ~Shape() {} };
struct Square : Shape<double> {
    double side;
    Square(double side) : side(side) {}
    double area() const override { return side * side; }
};
inline int &counter() { static int counted = 0; return counted; }
static thread_local double last = 1;
static double table[] = {1, 2, 3, 4};
static const double steps[] = {0.5, 0.25, 0.125};
static double (*chosen)(double);

__attribute__((noinline)) static double remember(double x) { counter()++; return last = last * 0.5 + x; }
__attribute__((noinline)) static double twice(double x) { return 2 * x + steps[counter() % 3]; }
static double small(double x) { return x + table[counter() % 4]; }
extern "C" __attribute__((noinline, used)) double original(double x) { return small(x) + last; }
extern "C" double second_name(double) __attribute__((alias("original")));
extern "C" double by_resolver(double) __attribute__((ifunc("resolver")));
extern "C" double (*resolver(void))(double) { return twice; }
__attribute__((noinline)) static double refused(double x) {
    if (x > 3) throw std::runtime_error("above " + std::to_string(int(x)));
    return small(remember(x));
}
__attribute__((noinline)) static double jumps(int n) {
    static const void *const labels[] = {&&stop, &&more};
    double sum = 0;
    goto *labels[n > 0];
more:
    sum += twice(n--);
    goto *labels[n > 0];
stop:
    return sum;
}
__attribute__((constructor)) static void first() { table[1] = 7; chosen = twice; }
__attribute__((noinline)) static double caught(double x) {
    try { return refused(x); } catch (const std::exception &error) { return error.what()[6]; }
}
int main() {
    const Shape<double> &shape = Square(3);
    double sum = shape.area() + caught(2) + caught(5) + jumps(4) + chosen(1) + second_name(2) + by_resolver(3);
    std::printf("%.6f %d\n", sum + small(1) + original(2), counter());
}
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    folder = tmp_path_factory.mktemp("module")
    (folder / "all.cpp").write_text(SOURCE)

    def made(*flags: str) -> str:
        words = [CLANG, "-std=c++17", *flags, "-S", "-emit-llvm", "-fPIC", "all.cpp", "-o", "all.ll"]
        subprocess.run(words, cwd=folder, check=True)
        return str(llvm_passes.parse((folder / "all.ll").read_text()))

    return made


def emitted(text: str, number: int | None) -> bytes:
    return InProcess().compile(text, huge=False, pic=True)


def compiler(folder: Path, jobs: int = 1, kept: KeptObjects | None = None) -> PartCompiler:
    told = folder / "told"
    join = partial(joined, "ld", scratch=Scratch(str(folder)))
    return PartCompiler(join, jobs, kept, lambda parts, kept: told.write_text(f"{parts} {kept}") and None, TINY)


def output(folder: Path, data: bytes) -> str:
    (folder / "all.o").write_bytes(data)
    subprocess.run([CLANG, "all.o", "-o", "all", "-lstdc++", "-lm"], cwd=folder, check=True)
    return subprocess.run([folder / "all"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("flags", [("-O0", "-Xclang", "-disable-O0-optnone"), ("-O1",), ("-O1", "-g"), ("-O2",)])
def test_the_program_is_the_same(module: Callable[..., str], flags: Sequence[str], tmp_path: Path) -> None:
    text = module(*flags)
    whole = output(tmp_path, emitted(text, None))
    assert output(tmp_path, compiler(tmp_path).made(text, (), emitted)) == whole
    assert int((tmp_path / "told").read_text().split()[0]) > 3


def test_the_object_does_not_depend_on_the_number_of_jobs(module: Callable[..., str], tmp_path: Path) -> None:
    text = module("-O1", "-g")
    assert compiler(tmp_path, 1).made(text, (), emitted) == compiler(tmp_path, 2).made(text, (), emitted)


def test_parts_are_found_again_if_one_function_changes(module: Callable[..., str], tmp_path: Path) -> None:
    text = module("-O1")
    (tmp_path / "cache").mkdir()
    kept = KeptObjects(Cache(str(tmp_path / "cache")), ("version",), None)
    compiler(tmp_path, kept=kept).made(text, (), emitted)
    parts, found = map(int, (tmp_path / "told").read_text().split())
    assert found == 0
    changed = text.replace("5.000000e-01", "7.500000e-01", 1)
    assert changed != text
    again = compiler(tmp_path, kept=kept).made(changed, (), emitted)
    assert (tmp_path / "told").read_text() == f"{parts} {parts - 1}"
    assert again == compiler(tmp_path).made(changed, (), emitted)
    compiler(tmp_path, kept=kept).made(text, ("other options",), emitted)
    assert (tmp_path / "told").read_text() == f"{parts} 0"


def test_what_is_local_gets_a_name_of_its_own_if_several_parts_name_it(module: Callable[..., str]) -> None:
    whole = ModuleText(module("-O1"))
    found = partition(whole, TINY)
    assert found is not None
    texts = [*part_texts(whole, found)]
    homes = [text for text in texts if f"define hidden noundef double @_ZL5twiced{SHARED}(" in text]
    assert len(homes) == 1
    assert any(f"declare hidden noundef double @_ZL5twiced{SHARED}(" in text for text in texts)
    assert all("@_ZL5twiced(" not in text for text in texts)


def test_a_small_module_stays_whole(module: Callable[..., str]) -> None:
    assert partition(ModuleText(module("-O1")), Sizes()) is None


@pytest.mark.parametrize("line", ['module asm ".globl other"', 'attributes #9999 = { sanitize_address "no-builtins" }'])
def test_what_sees_the_whole_module_keeps_it_whole(module: Callable[..., str], line: str) -> None:
    text = module("-O1")
    assert partition(ModuleText(text), TINY) is not None
    assert partition(ModuleText(text + "\n" + line + "\n"), TINY) is None
