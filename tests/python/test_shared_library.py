"""`enzyme_cc.library`: functions that share variables, variables as attributes, and handles."""

from __future__ import annotations

import gc
import pickle
from typing import Any

import numpy as np
import pytest

import enzyme_cc
from enzyme_cc.functions.library_variables import variables

from .conftest import SOURCES

X = np.array([1.0, 2, 3])


@pytest.fixture(scope="module")
def fortran() -> Any:
    return enzyme_cc.library(SOURCES / "shared_state.f90")


@pytest.fixture(scope="module")
def c() -> Any:
    return enzyme_cc.library(SOURCES / "shared_state.c")


def test_one_function_sets_up_what_another_one_uses(fortran: Any) -> None:
    run = fortran.function("run", "x -> return")
    assert fortran.function("setup", "gravity, n, out ok")(3.0, 4) == 1
    assert run(2.0) == 3 * 4 + 5 * 2 and run.grad(2.0) == 3 * 2 * 2 + 5
    fortran.params.g = 9.81
    assert run.grad(2.0) == pytest.approx(9.81 * 2 * 2 + 5)


def test_variables_of_modules_and_common_blocks(fortran: Any) -> None:
    fortran.params.g = 2.5
    fortran.blk.b, fortran.blk.k = 5.0, 2
    assert (fortran.PARAMS.G, fortran.blk.k) == (2.5, 2)
    assert variables([fortran.path]).keys() == {"params::g", "blk::a", "blk::b", "blk::k"}
    with pytest.raises(AttributeError, match="did you mean params::g"):
        fortran.params.h = 1
    with pytest.raises(AttributeError, match="weights"):  # allocatable
        fortran.params.weights  # noqa: B018


def test_handle_is_passed_and_destroyed(c: Any) -> None:
    run = c.function("run", "handle s, x[n], n -> return")
    handle = c.constructor("make", destructor="destroy")(3, 2.0)
    assert c.alive == 1
    for _ in range(2):  # what the handle's memory held is as it was
        np.testing.assert_allclose(run.grad(handle, X), 2 * 2 * 4 * X)
    c.table[1], c.scale = 5.0, 2.0
    np.testing.assert_allclose(run.grad(handle, X), [32, 320, 96])
    handle.close()
    assert c.alive == 0
    with pytest.raises(ValueError, match="closed"):
        run(handle, X)
    another = c.constructor("make", "destroy")(3, 1.0)
    del another
    gc.collect()
    assert c.alive == 0


def test_wrong_handles_and_pickled_libraries(c: Any) -> None:
    with pytest.raises(enzyme_cc.SignatureError, match="n is int, which is no handle"):
        c.function("run", "handle s, x[3], handle n -> return")
    assert pickle.loads(pickle.dumps(c)).scale == c.scale
