"""Atomic accesses of pointers have the type of a pointer in the text of a unit, and integers are declared."""

from __future__ import annotations

import subprocess

import llvmlite.binding as llvm
import pytest

from enzyme_cc.analysis.type_analysis.declared.tbaa import INTEGER
from enzyme_cc.link.merged_module.threads.atomic_pointers import with_atomic_pointers

SOURCE = """
#include <atomic>
std::atomic<double *> place;
std::atomic<long> number;
std::atomic<float> real;
double *load() { return place.load(std::memory_order_acquire); }
void store(double *p) { place.store(p); }
double *exchange(double *p) { return place.exchange(p); }
bool compare(double *&seen, double *p) { return place.compare_exchange_weak(seen, p); }
float load_real() { return real.load(); }
long load_number() { return number.load(); }
bool compare_number(long &seen) { return number.compare_exchange_strong(seen, 3); }
"""


@pytest.fixture(scope="module")
def text() -> str:
    command = ["clang-22", "-x", "c++", "-O0", "-S", "-emit-llvm", "-", "-o", "-"]
    done = subprocess.run(command, input=SOURCE, capture_output=True, text=True, check=True)
    return with_atomic_pointers(done.stdout)


def test_it_is_valid(text: str) -> None:
    with llvm.create_context() as context:
        llvm.parse_assembly(text, context).verify()


@pytest.mark.parametrize("access", ["load atomic ptr,", "store atomic ptr ", "xchg ptr %", "{ ptr, i1 }"])
def test_pointers_are_pointers(text: str, access: str) -> None:
    assert access in text


def test_integers_stay_and_are_declared(text: str) -> None:
    loads = [line for line in text.splitlines() if "load atomic i64," in line]
    assert loads
    assert all(INTEGER in line for line in loads)
    assert "extractvalue { i64, i1 }" in text


def test_numbers_are_not_declared(text: str) -> None:
    assert "load atomic i32," in text
    assert not any(INTEGER in line for line in text.splitlines() if "load atomic i32," in line)


def test_other_units_stay() -> None:
    text = "define i64 @f(ptr %p) {\n  %x = load i64, ptr %p\n  ret i64 %x\n}\n"
    assert with_atomic_pointers(text) is text
