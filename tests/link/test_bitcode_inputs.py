"""The forms in which bitcode reaches a link, and that none of it reaches what is linked."""

from __future__ import annotations

import pytest

from enzyme_cc.link.inputs import bitcode, elf

from .conftest import MAIN, SQUARE, Project

COROUTINE = """
#include <coroutine>
struct task {
  struct promise_type {
    double value;
    task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(double result) { value = result; }
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};
static task squared(double x) { co_return x * x; }
extern "C" double square(double x) {
  task t = squared(x);
  double y = t.handle.promise().value;
  t.handle.destroy();
  return y;
}
"""


def modules_of(project: Project, name: str) -> tuple[bytes, ...]:
    return bitcode.in_object(elf.read((project.path / name).read_bytes()))


def test_unstamped_object(project: Project) -> None:
    other = project.compile("other.c", "int other(void) { return 0; }", stamp=False)
    main = MAIN.replace("return 0", "return other()").replace("int main", "int other(void);\nint main")
    project.link(project.compile("main.c", main, stamp=False), project.compile("square.c", SQUARE, stamp=False), other)
    assert project.output_of() == ["6.000"]
    assert not project.sections("program") & bitcode.EXCLUDED_SECTIONS


def test_unstamped_native_member_of_an_archive(project: Project) -> None:
    main = MAIN.replace("return 0", "return other()").replace("int main", "int other(void);\nint main")
    member = project.compile("other.c", "int other(void) { return 0; }", stamp=False)
    project.run("llvm-ar-22", "rcs", "libother.a", member)
    project.link(project.compile("main.c", main), project.compile("square.c", SQUARE), "libother.a")
    assert project.output_of() == ["6.000"]
    assert not project.sections("program") & bitcode.EXCLUDED_SECTIONS


def test_stamped_object_leaves_no_bitcode(project: Project) -> None:
    project.link(project.compile("main.c", MAIN), project.compile("square.c", SQUARE))
    assert not project.sections("program") & bitcode.EXCLUDED_SECTIONS


def test_several_modules_in_one_section(project: Project) -> None:
    project.run("ld", "-r", project.compile("main.c", MAIN), project.compile("square.c", SQUARE), "-o", "both.o")
    assert len(modules_of(project, "both.o")) == 2
    project.link("both.o")
    assert project.output_of() == ["6.000"]


def test_modules_split_at_any_alignment(project: Project) -> None:
    (module,) = modules_of(project, project.compile("square.c", SQUARE))
    assert bitcode.split(module + b"\0" + module + b"\0\0\0" + module) == (module,) * 3


@pytest.mark.parametrize("flags", [["-flto"], ["-emit-llvm"]])
def test_raw_bitcode_object(project: Project, flags: list[str]) -> None:
    square = project.compile("square.c", SQUARE, *flags, embed=False)
    project.link(project.compile("main.c", MAIN), square)
    assert project.output_of() == ["6.000"]


def test_raw_bitcode_with_an_alias_in_an_archive(project: Project) -> None:
    text = SQUARE.replace("square", "plain") + 'double square(double) __attribute__((alias("plain")));\n'
    member = project.compile("square.c", text, "-flto", embed=False)
    project.run("llvm-ar-22", "rcs", "libsquare.a", member)
    project.link(project.compile("main.c", MAIN, "-flto", embed=False), "libsquare.a")
    assert project.output_of() == ["6.000"]


def test_raw_bitcode_with_a_coroutine(project: Project) -> None:
    """-flto=thin leaves the intrinsics of coroutines in the bitcode."""
    square = project.compile("square.cpp", COROUTINE, "-std=c++20", "-flto=thin", embed=False)
    project.link(project.compile("main.c", MAIN), square, "-lstdc++")
    assert project.output_of() == ["6.000"]


def test_all_raw_bitcode(project: Project) -> None:
    other = "int other(void) { return 0; }"
    main = MAIN.replace("return 0", "return other()").replace("int main", "int other(void);\nint main")
    units = [
        project.compile(name, text, "-emit-llvm", embed=False)
        for name, text in [("main.c", main), ("square.c", SQUARE), ("other.c", other)]
    ]
    project.link(*units)
    assert project.output_of() == ["6.000"]


def test_raw_bitcode_in_an_archive(project: Project) -> None:
    square = project.compile("square.c", SQUARE, "-emit-llvm", embed=False)
    unused = project.compile("unused.c", "int unused(void) { return 1; }", "-emit-llvm", embed=False)
    project.run("llvm-ar-22", "rcs", "libsquare.a", square, unused)
    project.link(project.compile("main.c", MAIN), "libsquare.a")
    assert project.output_of() == ["6.000"]


def test_fat_lto_object(project: Project) -> None:
    square = project.compile("square.c", SQUARE, "-flto=full", "-ffat-lto-objects", embed=False)
    assert ".llvm.lto" in project.sections(square)
    project.link(project.compile("main.c", MAIN), square)
    assert project.output_of() == ["6.000"]


def test_wrapped_bitcode() -> None:
    module = bitcode.MAGIC + bytes([0x35, 0x14, 0, 0, 1, 0, 0, 0, 9, 9, 9, 9])
    header = bitcode.WRAPPER_MAGIC + b"".join(n.to_bytes(4, "little") for n in (0, 20, len(module), 7))
    assert bitcode.split(header + module) == (module,)


@pytest.mark.parametrize("data", [b"BC\xc0\xde", b"garbage!", bitcode.MAGIC + b"\x35\x14\0\0\xff\xff\xff\0"])
def test_invalid_bitcode(data: bytes) -> None:
    with pytest.raises(bitcode.BitcodeError):
        bitcode.split(data)
