"""The work of type analysis grows with the program: facts that are carried, and fields that queries visit."""

from __future__ import annotations

import math

import pytest

from enzyme_cc.ir.instructions import ACCESSES
from enzyme_cc.ir.types import store_size
from tests.analysis.support import Analysed, compile_c
from tests.bench.library_shapes import SHAPES, language, program

SIZES = (10, 30)
#: facts and fields for each function: instances of functions for their calls must not multiply along chains of calls
MOST = 2500


def work(shape: str, n: int) -> int:
    """Returns how many facts were carried and how many fields were visited, if each access is asked about."""
    types = (analysed := Analysed(compile_c(program(shape, n)), ["@f"])).types
    for i in (i for f in analysed.functions.values() for i in f.instructions() if i.opcode in ACCESSES):
        is_load = i.opcode == "load"
        types.contents(i.operands[0 if is_load else 1], store_size((i if is_load else i.operands[0]).type)).words()
    return types.work


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if language(shape) == "c"])
def test_work_grows_no_faster_than_n_log_n(shape: str) -> None:
    few, many = (work(shape, n) for n in SIZES)
    assert few < MOST * SIZES[0]
    assert many / few < 1.1 * SIZES[1] * math.log(SIZES[1]) / (SIZES[0] * math.log(SIZES[0]))


_LONG = """
#include <string.h>
struct layer { double scale, *rows[ROWS]; int flags[40]; double *weights; };
__attribute__((noinline)) static void shift(void **words, long n) {
  for (long k = 1; k < n; k++)
    words[k - 1] = words[k];
}
double f(void **p, long i, long j, long n) {
  struct layer l, m;
  shift(p, n);
  memcpy(&l, p + i, sizeof l);
  l.scale *= 2; l.rows[7] = l.weights;
  memcpy(&m, &l, sizeof m);
  m.weights = l.rows[i];
  memcpy(p + j, &m, sizeof m);
  return l.scale + *l.weights + m.rows[j][1];
}
"""


def _work_of_copies(rows: int) -> int:
    types = (analysed := Analysed(compile_c(_LONG.replace("ROWS", str(rows))), ["@f"])).types
    for i in analysed.functions["@f"].instructions():
        if i.opcode == "call" and i.callee_name.startswith("@llvm.memcpy"):
            types.contents(i.arguments[0], (rows + 22) * 8).words()
    return types.work


def test_work_of_structs_among_moved_words_does_not_grow_with_their_length() -> None:
    """Such words may be any of the pool: a struct in it was looked at for each length down to a word."""
    assert _work_of_copies(240) == _work_of_copies(60)
