"""Loads and stores of declared integers where numbers of the same size may lie."""

from __future__ import annotations

from enzyme_cc.analysis.activity.bits_in_place import BitsInPlace
from enzyme_cc.ir.values import Instruction

from ..support import from_c

#: sorts doubles by their bits, which it reads through a pointer to integers
KEYS = """
#include <stdint.h>
__attribute__((noinline)) uint64_t key(double *p) {{
    uint64_t *bits = (uint64_t *)p;
    uint64_t k = *bits ^ {by};
    *bits = k;
    return k;
}}
double f(double *p, double x) {{ p[0] = x; {more} return p[0]; }}
"""


def integers(more: str, by: str) -> tuple[BitsInPlace, Instruction, Instruction]:
    analysed = from_c(KEYS.format(more=more, by=by))
    (load,) = (i for i in analysed.all("key", "load"))
    (store,) = (i for i in analysed.all("key", "store"))
    return BitsInPlace(analysed.types), load, store


def test_bits_that_are_written_where_a_number_lies_are_found() -> None:
    found, _, store = integers("key(p);", "1")
    assert found.is_written(store)


def test_integers_of_which_no_number_is_made_are_left_alone() -> None:
    found, load, store = integers("uint64_t own = 3; key((double *)&own);", "1")
    assert not found.is_read(load)
    assert not found.is_written(store)
