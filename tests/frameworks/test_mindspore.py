"""Compiled functions under MindSpore, eagerly and in graphs: against NumPy and central differences, to second order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ms: Any = pytest.importorskip("mindspore", reason="MindSpore is not installed: pip install mindspore")

import enzyme_cc  # noqa: E402
import enzyme_cc.mindspore  # noqa: E402
from enzyme_cc.frameworks.mindspore_operations.mindspore_functions import FunctionCell  # noqa: E402
from enzyme_cc.functions.errors import SignatureError  # noqa: E402
from tests.docs.page import examples  # noqa: E402

from .compiled import CASES, CompiledCase  # noqa: E402

NORM, WAVE, MIXED = CASES[:3]
REAL = [case for case in CASES if not any(np.iscomplexobj(x) for x in case.inputs)]
EACH_CASE = pytest.mark.parametrize("case", REAL, ids=[f"{case}{i}" for i, case in enumerate(REAL)])


@pytest.fixture(params=["eager", "graph"])
def mode(request: pytest.FixtureRequest) -> Iterator[str]:
    ms.set_context(mode=ms.PYNATIVE_MODE if request.param == "eager" else ms.GRAPH_MODE)
    yield request.param
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.fixture(autouse=True)
def other_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MindSpore writes what it could not compile into the working directory."""
    monkeypatch.chdir(tmp_path)


def double(values: Any) -> Any:
    return ms.Tensor(np.array(values, np.float64))


def prepared(case: CompiledCase, folder: Path) -> tuple[Any, list[Any], tuple[int, ...]]:
    """Returns the function, its inputs, and which of them have derivatives."""
    function = case.function(folder)
    inputs = function.interface.inputs
    given = [
        ms.Tensor(np.array(x), getattr(ms, p.element.dtype, None)) for x, p in zip(case.inputs, inputs, strict=True)
    ]
    return enzyme_cc.mindspore.wrap(function), given, tuple(i for i, p in enumerate(inputs) if p.is_active)


def differences(f: Callable[..., Any], given: list[Any], on: tuple[int, ...], h: float) -> list[Any]:
    """The gradients of a number, by central differences."""
    found = []
    for i in on:
        x = given[i].asnumpy()
        gradient = np.zeros(x.shape)
        for at in np.ndindex(x.shape):
            values = []
            for sign in (1, -1):
                moved = x.copy()
                moved[at] += sign * h
                values.append(float(f(*given[:i], ms.Tensor(moved), *given[i + 1 :]).asnumpy()))
            gradient[at] = (values[0] - values[1]) / (2 * h)
        found.append(gradient)
    return found


@EACH_CASE
def test_values_and_both_orders(case: CompiledCase, mode: str, folder: Path) -> None:
    function, given, on = prepared(case, folder)
    assert isinstance(function, FunctionCell)
    got, want = function(*given), case.reference(np, *case.inputs)
    single = case.name == "single"
    pairs = zip(got, want, strict=True) if isinstance(want, tuple) else [(got, want)]
    for value, wanted in pairs:
        np.testing.assert_allclose(value.asnumpy(), wanted, rtol=1e-5 if single else 1e-12)
    if case.inputs[0] is not None and np.size(case.inputs[0]) == 0:
        return  # MindSpore has no gradients of tensors without elements

    def total(*inputs: Any) -> Any:
        y = function(*inputs)
        if isinstance(y, tuple):
            return (y[0] * y[0].sin()).sum() + y[1] * y[1]
        return (y * y.sin()).sum()

    position = on if len(on) > 1 else on[0]
    first = ms.grad(total, grad_position=position)

    def gradient(*inputs: Any) -> Any:
        found = first(*inputs)
        return found if len(on) > 1 else (found,)

    found = gradient(*given)
    h, tolerance = (1e-2, 3e-2) if single else (1e-5, 1e-7)
    for g, wanted in zip(found, differences(total, given, on, h), strict=True):
        np.testing.assert_allclose(g.asnumpy(), wanted, rtol=tolerance, atol=tolerance)
    if single:
        return

    def squared(*inputs: Any) -> Any:
        s = 0
        for g in gradient(*inputs):
            s = s + (g * g).sum()
        return s

    second = ms.grad(squared, grad_position=position)(*given)
    second = second if len(on) > 1 else (second,)
    for g, wanted in zip(second, differences(squared, given, on, h), strict=True):
        np.testing.assert_allclose(g.asnumpy(), wanted, rtol=1e-6, atol=1e-6)


def test_value_and_grad_and_grad_operation(mode: str, folder: Path) -> None:
    norm, x = enzyme_cc.mindspore.wrap(NORM.function(folder)), double([0.7, 1.3, 0.4])
    length = np.linalg.norm(x.asnumpy())
    value, gradient = ms.value_and_grad(norm)(x)
    assert float(value.asnumpy()) == pytest.approx(length)
    np.testing.assert_allclose(gradient.asnumpy(), x.asnumpy() / length)
    np.testing.assert_allclose(ms.ops.GradOperation()(norm)(x).asnumpy(), x.asnumpy() / length)


def test_complex_numbers_are_refused(folder: Path) -> None:
    with pytest.raises(SignatureError, match="z is complex128, which MindSpore does not differentiate"):
        enzyme_cc.mindspore.wrap(CASES[5].function(folder))


def test_jit_and_training(folder: Path) -> None:
    """A network with a compiled layer learns the weight that made the data."""
    table = enzyme_cc.mindspore.wrap(enzyme_cc.function(folder / "functions.c", "table", CASES[6].signature))
    weight = ms.Parameter(double([0.5, 1.5]), name="weight")
    inputs = double(np.linspace(-1, 1, 16))
    targets = double(np.linspace(-1, 1, 16)[:, None] * np.array([1.0, 4.0]))

    class Net(ms.nn.Cell):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.weight = weight
            self.table = table

        def construct(self, x: Any, y: Any) -> Any:
            return ((self.table(x, self.weight) - y) ** 2).mean()

    net = Net()
    step = ms.jit(ms.value_and_grad(net, None, net.trainable_params()))
    losses = []
    for _ in range(60):
        loss, (gradient,) = step(inputs, targets)
        losses.append(float(loss.asnumpy()))
        ms.ops.assign(weight, weight - 0.2 * gradient)
    assert losses[-1] < 1e-6 * losses[0]
    np.testing.assert_allclose(weight.asnumpy() ** 2, [1.0, 4.0], rtol=1e-3)


def test_above_the_second_order_is_an_error(mode: str, folder: Path) -> None:
    norm, x = enzyme_cc.mindspore.wrap(NORM.function(folder)), double([0.7, 1.3, 0.4])
    first = ms.grad(norm)

    def of_first(x: Any) -> Any:
        return first(x).sum()

    second = ms.grad(of_first)

    def of_second(x: Any) -> Any:
        return second(x).sum()

    with pytest.raises(NotImplementedError, match="above the second order"):
        ms.grad(of_second)(x).asnumpy()


def test_forward_mode(mode: str, folder: Path) -> None:
    wave = enzyme_cc.mindspore.wrap(WAVE.function(folder))
    value, tangent = ms.jvp(wave, double([0.7, 1.3, 0.4]), double([1.0, -1.0, 0.5]))
    np.testing.assert_allclose(value.asnumpy(), [0.637, 0.676, 0.112], rtol=1e-12)
    np.testing.assert_allclose(tangent.asnumpy(), [1.33, -0.195, 0.44], rtol=1e-12)


def test_integers_that_determine_shapes(mode: str, folder: Path) -> None:
    function = enzyme_cc.function(folder / "functions.c", "grid", "a, n, out y[n]")
    grid = enzyme_cc.mindspore.wrap(function, n=4)
    np.testing.assert_allclose(grid(double(0.5)).asnumpy(), np.sin(0.5 * np.arange(4)))
    with pytest.raises(TypeError, match="grid: wrap it with n"):
        enzyme_cc.mindspore.wrap(function)


def test_what_does_not_fit_is_refused(folder: Path) -> None:
    mixed, x = enzyme_cc.mindspore.wrap(MIXED.function(folder)), double([1.0, 2.0, 3.0])
    with pytest.raises(TypeError, match=r"x: wanted float64 x\[n\]"):
        mixed(x.astype(ms.float32), x, 3, 0.8)
    with pytest.raises(ValueError, match=r"w: wanted float64 w\[n\] with n = 3"):
        mixed(x, x[:2], 3, 0.8)
    with pytest.raises(TypeError, match="mixed takes x, w, power, a; got 1 values"):
        mixed(x)
    with pytest.raises(enzyme_cc.SignatureError, match="does not differentiate"):
        enzyme_cc.mindspore.wrap(CASES[5].function(folder))
    checked = enzyme_cc.mindspore.wrap(enzyme_cc.function(folder / "checked.cpp", "checked", "x[n], n -> return"))
    with pytest.raises(RuntimeError):
        checked(double([100.0] * 3)).asnumpy()


def test_examples_print_what_the_page_says(tmp_path: Path, folder: Path) -> None:
    examples("mindspore").check(tmp_path)
