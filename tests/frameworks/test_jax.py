"""Compiled functions under JAX: against the same functions in jax.numpy, and check_grads to second order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, PartitionSpec
from jax.test_util import check_grads

import enzyme_cc
import enzyme_cc.jax
from enzyme_cc.frameworks.jax_operations.jax_handler import TARGET

from .compiled import CASES, CompiledCase

jax.config.update("jax_enable_x64", True)


def active(case: CompiledCase) -> tuple[int, ...]:
    """The inputs with a derivative: numbers, but not the weights that the signature calls constant."""
    constants = {1} if case.name == "mixed" else set()
    return tuple(i for i, x in enumerate(case.inputs) if np.asarray(x).dtype.kind in "fc" and i not in constants)


def close(got: Any, want: Any, single: bool) -> None:
    for a, b in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
        assert a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=1e-5 if single else 1e-11, atol=1e-6 if single else 1e-12)


@pytest.mark.parametrize("case", CASES, ids=[f"{case}{i}" for i, case in enumerate(CASES)])
def test_values_and_derivatives(case: CompiledCase, folder: Path) -> None:
    f = enzyme_cc.jax.wrap(case.function(folder))

    def reference(*inputs: Any) -> Any:
        return case.reference(jnp, *inputs)

    inputs = tuple(x if isinstance(x, int) else jnp.asarray(x) for x in case.inputs)
    single = case.name == "single"
    close(f(*inputs), reference(*inputs), single)
    close(jax.jit(f)(*inputs), reference(*inputs), single)
    on = active(case)
    moving = [inputs[i] for i in on]
    if any(jnp.iscomplexobj(x) for x in moving):
        primals, tangents = tuple(inputs), tuple(jnp.ones_like(x) * (1 + 2j) for x in inputs)
        close(jax.jvp(f, primals, tangents), jax.jvp(reference, primals, tangents), single)
        value, pullback = jax.vjp(f, *inputs)
        close(pullback(value * 1j), jax.vjp(reference, *inputs)[1](value * 1j), single)
        return

    def of_moving(function: Any) -> Any:
        def call(*given: Any) -> Any:
            whole = list(inputs)
            for i, x in zip(on, given, strict=True):
                whole[i] = x
            return function(*whole)

        return call

    ours, theirs = of_moving(f), of_moving(reference)
    numbers = tuple(range(len(on)))
    for mode in (jax.jacrev, jax.jacfwd):
        close(jax.jit(mode(ours, numbers))(*moving), mode(theirs, numbers)(*moving), single)
    if single:
        return
    close(jax.hessian(ours, numbers)(*moving), jax.hessian(theirs, numbers)(*moving), single)
    close(jax.jacrev(jax.jacrev(ours, numbers), numbers)(*moving), jax.hessian(theirs, numbers)(*moving), single)
    check_grads(ours, tuple(moving), order=2, modes=("fwd", "rev"), rtol=1e-4, atol=1e-4)


def test_vmap_and_its_derivatives(folder: Path) -> None:
    def reference(x: Any, w: Any, a: Any) -> Any:
        return w * jnp.sin(a * x), (x**3).sum() * a

    f = enzyme_cc.jax.wrap(CASES[2].function(folder))

    def ours(x: Any, w: Any, a: Any) -> Any:
        return f(x, w, 3, a)

    def check(transform: Callable[[Any], Any], *inputs: Any) -> None:
        close(transform(ours)(*inputs), transform(reference)(*inputs), False)

    x, w, a = jnp.linspace(0.2, 1.7, 12).reshape(2, 3, 2), jnp.array([2.0, 3.0, 4.0]), jnp.array([0.5, 0.9])

    def once(g: Any) -> Any:
        return jax.vmap(g, in_axes=(1, None, None))

    def twice(g: Any) -> Any:
        return jax.vmap(once(g), in_axes=(0, None, None))

    check(once, x[0], w, 0.8)
    check(twice, x, w, 0.8)
    check(lambda g: jax.jacrev(twice(g), (0, 2)), x, w, 0.8)
    check(lambda g: jax.jacfwd(twice(g), (0, 2)), x, w, 0.8)
    check(lambda g: jax.vmap(jax.grad(lambda *v: g(*v)[1], 2), in_axes=(None, None, 0)), x[0, :, 0], w, a)


def test_linear_transposition_and_shard_map(folder: Path) -> None:
    wave = enzyme_cc.jax.wrap(CASES[1].function(folder))
    x = jnp.array([0.7, 1.3, 0.4])
    _, pushforward = jax.linearize(wave, x)
    (transposed,) = jax.linear_transpose(pushforward, x)(jnp.ones(3))
    np.testing.assert_allclose(transposed, jax.grad(lambda x: wave(x).sum())(x))
    mesh = Mesh(np.array(jax.devices()), ("rows",))
    rows = PartitionSpec("rows")
    over = jax.shard_map(jax.vmap(wave), mesh=mesh, in_specs=rows, out_specs=rows, check_vma=False)
    np.testing.assert_allclose(over(jnp.stack([x, 2 * x])), jnp.stack([wave(x), wave(2 * x)]))


def test_integers_that_determine_shapes_are_static(folder: Path) -> None:
    grid = enzyme_cc.jax.wrap(enzyme_cc.function(folder / "functions.c", "grid", "a, n, out y[n]"))
    np.testing.assert_allclose(grid(0.5, 4), np.sin(0.5 * np.arange(4)))
    np.testing.assert_allclose(jax.jacfwd(grid)(0.5, 4), np.arange(4) * np.cos(0.5 * np.arange(4)))
    with pytest.raises(TypeError, match="n determines shapes"):
        jax.jit(grid)(0.5, 4)


def test_what_does_not_fit_is_refused(folder: Path) -> None:
    norm = enzyme_cc.jax.wrap(CASES[0].function(folder))
    with pytest.raises(TypeError, match="x: wanted float64, got float32"):
        norm(jnp.ones(3, jnp.float32))
    with pytest.raises(ValueError, match="x: wanted 1 dimensions"):
        norm(jnp.ones((3, 3)))
    with pytest.raises(TypeError, match="x: wanted float64, got NoneType"):
        norm(None)
    with pytest.raises(TypeError, match="norm takes x; got 2 values"):
        norm(jnp.ones(3), 3)
    third = jax.jacfwd(jax.jacfwd(jax.jacfwd(norm)))
    with pytest.raises(NotImplementedError, match="above the second order"):
        third(jnp.ones(3))


def test_derivatives_that_are_zero(folder: Path) -> None:
    """Of a function whose inputs or outputs are all constant."""
    constant = enzyme_cc.jax.wrap(enzyme_cc.function(folder / "functions.c", "norm", "const x[n], n -> return"))
    x = jnp.array([3.0, 4.0])
    np.testing.assert_array_equal(jax.grad(lambda x: constant(x) * x[0])(x), [5, 0])


def test_what_is_no_compiled_function_is_refused(folder: Path) -> None:
    f = enzyme_cc.function(folder / "functions.c", "norm", "x[n], n -> return", isolated=True)
    for wrong, message in ((f, "got one with isolated=True"), (abs, "got <built-in function abs>")):
        with pytest.raises(TypeError, match=f"enzyme_cc.jax takes a function of enzyme_cc.function.*{message}"):
            enzyme_cc.jax.wrap(wrong)


def test_an_exception_reaches_python(folder: Path) -> None:
    checked = enzyme_cc.jax.wrap(enzyme_cc.function(folder / "checked.cpp", "checked", "x[n], n -> return"))
    with pytest.raises(jax.errors.JaxRuntimeError, match="too large"):
        checked(jnp.full(3, 100.0)).block_until_ready()


def test_large_arrays_are_not_copied(folder: Path) -> None:
    """The compiled program has the call alone: no copy, no transposition."""
    norm = enzyme_cc.jax.wrap(CASES[0].function(folder))
    text = jax.jit(jax.grad(norm)).lower(jnp.ones(10_000_000)).compile().as_text()
    assert text.count("custom-call(") == 1
    assert " copy(" not in text


def test_a_compiled_call_names_the_handler(folder: Path) -> None:
    f = enzyme_cc.jax.wrap(CASES[0].function(folder))
    assert f"@{TARGET}(" in jax.jit(f).lower(*CASES[0].inputs).as_text()
    assert f"@{TARGET}(" not in jax.jit(jnp.sin).lower(1.0).as_text()
