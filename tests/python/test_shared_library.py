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
    names = {"params::g", "blk::a", "blk::b", "blk::k", "results::total", "results::w"}
    assert variables([fortran.path]).keys() == names
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


def test_variables_are_inputs_and_outputs_with_derivatives(fortran: Any, c: Any) -> None:
    run = fortran.function("run", "x, global params.g, const global blk.k, global BLK.b -> return")
    assert fortran.function("setup", "gravity, n, out ok")(0.0, 0) == 1
    fortran.blk.b = 0.0
    assert run(2.0, 3.0, 2, 5.0) == 3 * 4 + 5 * 2
    assert (fortran.params.g, fortran.blk.b) == (3.0, 5.0)
    assert run.grad(2.0, params_g=3.0, blk_k=2, BLK_b=5.0) == (2 * 3 * 2, 4.0, 2.0)
    assert run.hvp(2.0, 3.0, 2, 5.0, (1.0, 0.0, 0.0)) == (6.0, 4.0, 0.0)
    handle, table = c.constructor("make", destructor="destroy")(3, 2.0), np.array([1.0, 2, 3])
    scaled = c.function("run", "handle s, x[n], n, const global scale, inout global table -> return")
    for _ in range(2):  # a gradient leaves nothing behind
        by_x, by_table = scaled.vjp(handle, X, 0.5, table)(np.zeros(3), 1.0)
        np.testing.assert_allclose(by_x, 0.5 * 2 * 4 * 2 * X * table)
        np.testing.assert_allclose(by_table, 0.5 * 2 * 4 * X**2)
    assert scaled.check(handle, X, 0.5, table)


def test_a_subroutine_leaves_its_result_in_a_variable() -> None:
    total = enzyme_cc.function(
        SOURCES / "shared_state.f90", "sum_up", "x[:], out global results.total, global results.w"
    )
    assert total(X, np.array([[1.0, 2], [3, 4]], order="F")) == 14 * 3
    x, w = total.grad(X, np.array([[1.0, 2], [3, 4]], order="F"))
    np.testing.assert_allclose(x, 2 * X * 3)
    np.testing.assert_allclose(w, [[0, 0], [14, 0]])


@pytest.mark.parametrize(
    ("signature", "words"),
    [
        ("x, global params.h -> return", "there is no variable params::h .*did you mean params::g"),
        ("x, params.g -> return", "write global params.g"),
        ("x, global params.g[3] -> return", "whose type gives its dimensions"),
        ("x, global params.weights -> return", "there is no variable params::weights"),
        ("global params.g -> return", "the function's parameters are x"),
    ],
)
def test_wrong_variables(fortran: Any, signature: str, words: str) -> None:
    with pytest.raises(enzyme_cc.SignatureError, match=words):
        fortran.function("run", signature)


@pytest.mark.parametrize(("name", "arrays"), [("explicit_shape", "n, b[n]"), ("assumed_shape", "b[:]")])
def test_derived_types_by_field(name: str, arrays: str) -> None:
    lib = enzyme_cc.library(SOURCES / "derived_types.f90")
    lib.bodies.sun["mass"], lib.bodies.sun["x"] = 5.0, 2.0
    f = lib.function(name, f"{arrays}, global bodies.sun -> return")
    bodies = np.zeros(2, lib.bodies.sun.dtype)
    bodies["mass"], bodies["x"] = [2, 3], [[1, 2, 3], [4, 5, 6]]
    assert f(bodies, lib.bodies.sun.copy()) == 5 + 2 * (2 * 14 + 3 * 77)
    by_bodies, by_sun = f.grad(bodies, lib.bodies.sun.copy())
    assert by_bodies["mass"].tolist() == [28, 154] and by_bodies["x"].tolist() == [[8, 16, 24], [48, 60, 72]]
    assert by_sun["mass"] == 1 and by_sun["x"].tolist() == [259, 0, 0]
