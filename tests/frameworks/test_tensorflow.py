"""Compiled functions under TensorFlow: against NumPy, and TensorFlow's own numerical check to second order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

tf: Any = pytest.importorskip("tensorflow", reason="TensorFlow is not installed: pip install tensorflow")

import enzyme_cc  # noqa: E402
import enzyme_cc.tensorflow  # noqa: E402
from enzyme_cc.frameworks.tensorflow_operations.tensorflow_layer import FunctionKerasLayer  # noqa: E402
from tests.docs.page import examples  # noqa: E402

from .compiled import CASES, CompiledCase  # noqa: E402

NORM, WAVE, MIXED = CASES[:3]
EACH_CASE = pytest.mark.parametrize("case", CASES, ids=[f"{case}{i}" for i, case in enumerate(CASES)])


def wrapped(folder: Path, name: str, signature: str, file: str = "functions.c") -> Any:
    return enzyme_cc.tensorflow.wrap(enzyme_cc.function(folder / file, name, signature))


def double(values: Any) -> Any:
    return tf.constant(values, tf.float64)


def of_active(case: CompiledCase, folder: Path) -> tuple[Callable[..., Any], list[Any]]:
    """Returns the function of its active inputs alone, which returns a list, and these inputs."""
    function = enzyme_cc.tensorflow.wrap(case.function(folder))
    interface = function.interface
    inputs = [tf.constant(x, p.element.dtype) for x, p in zip(case.inputs, interface.inputs, strict=True)]
    on = [i for i, p in enumerate(interface.inputs) if p.is_active]

    def call(*moving: Any) -> list[Any]:
        whole = list(inputs)
        for i, x in zip(on, moving, strict=True):
            whole[i] = x
        found = function(*whole)
        return list(found) if isinstance(found, tuple) else [found]

    return call, [inputs[i] for i in on]


def agree(pair: Any, tolerance: float) -> None:
    theoretical, numerical = pair
    for a, b in zip(theoretical, numerical, strict=True):
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


@EACH_CASE
def test_values_and_both_orders(case: CompiledCase, folder: Path) -> None:
    """Values are NumPy's; gradients, and gradients of gradients, are those of `tf.test.compute_gradient`."""
    call, moving = of_active(case, folder)
    want = case.reference(np, *case.inputs)
    for got, wanted in zip(call(*moving), want if isinstance(want, tuple) else (want,), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-5 if case.name == "single" else 1e-12)
    delta, tolerance = (1e-2, 1e-2) if case.name == "single" else (1e-5, 1e-7)

    def gradient(number: int) -> Callable[..., Any]:
        def of(*inputs: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(inputs)
                value = call(*inputs)[number]
                total = tf.reduce_sum(tf.math.real(value) * tf.sin(tf.math.real(value)) + tf.math.imag(value))
            return tf.concat([tf.reshape(g, [-1]) for g in tape.gradient(total, inputs)], 0)

        return of

    for number in range(len(call(*moving))):
        agree(tf.test.compute_gradient(lambda *x, k=number: call(*x)[k], moving, delta), tolerance)
        if case.name != "single":
            agree(tf.test.compute_gradient(gradient(number), moving, delta), tolerance)


@EACH_CASE
def test_graphs_are_as_eager_code(case: CompiledCase, folder: Path) -> None:
    """Also with shapes that are not known, and with two tapes."""
    call, moving = of_active(case, folder)

    def second(*inputs: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(inputs)
            with tf.GradientTape() as inner:
                inner.watch(inputs)
                value = tf.add_n([tf.reduce_sum(tf.math.real(x * x)) for x in call(*inputs)])
            first = inner.gradient(value, inputs)
            total = tf.add_n([tf.reduce_sum(tf.math.real(g * g)) for g in first])
        return value, first, outer.gradient(total, inputs)

    unknown = [tf.TensorSpec([None] * x.shape.rank, x.dtype) for x in moving]
    want = tf.nest.flatten(second(*moving))
    for graph in (tf.function(second), tf.function(second, input_signature=unknown)):
        for got, wanted in zip(tf.nest.flatten(graph(*moving)), want, strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-12)


def test_jacobians_and_forward_mode(folder: Path) -> None:
    wave, x = enzyme_cc.tensorflow.wrap(WAVE.function(folder)), double([0.7, 1.3, 0.4])
    jacobian = np.array([[2 * 0.7 * 1.3, 0.49, 0], [0, 2 * 1.3 * 0.4, 1.69], [0.16, 0, 2 * 0.4 * 0.7]])
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = wave(x)
        gradient = tape.gradient(y, x)
    np.testing.assert_allclose(tape.jacobian(y, x), jacobian, rtol=1e-12)
    hessian = outer.jacobian(gradient, x).numpy()
    assert np.allclose(hessian, np.transpose(hessian))
    v = double([1.0, -1.0, 0.5])
    with tf.autodiff.ForwardAccumulator(x, v) as forward:
        y = wave(x)
    np.testing.assert_allclose(forward.jvp(y), jacobian @ v.numpy(), rtol=1e-12)
    with tf.autodiff.ForwardAccumulator(x, v) as forward:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = wave(x)
        gradient = tape.gradient(y, x)
    np.testing.assert_allclose(forward.jvp(gradient), hessian @ v.numpy(), rtol=1e-12)


def test_above_the_second_order_is_an_error(folder: Path) -> None:
    norm, x = enzyme_cc.tensorflow.wrap(NORM.function(folder)), double([0.7, 1.3, 0.4])

    def derivative(f: Any) -> Any:
        def of(x: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return tape.gradient(y, x)

        return of

    third = derivative(derivative(derivative(norm)))
    for function in (third, tf.function(third)):
        with pytest.raises(tf.errors.UnimplementedError, match="above the second order"):
            function(x)


def test_keras(folder: Path, tmp_path: Path) -> None:
    """A layer learns the weight that made the data; the model's saved graph computes the same."""
    scaled = enzyme_cc.function(folder / "functions.c", "table", "a[n], b[m], n, m, out c[n,m]")
    layer = enzyme_cc.tensorflow.layer(scaled, b=double([0.5, 1.5]))
    assert isinstance(layer, FunctionKerasLayer)
    model = tf.keras.Sequential([tf.keras.Input((), dtype="float64"), layer])
    assert [tuple(w.shape) for w in layer.trainable_weights] == [(2,)]
    inputs = np.linspace(-1, 1, 32)
    targets = inputs[:, None] * np.array([1.0, 4.0])
    model.compile(tf.keras.optimizers.Adam(0.05), "mse")
    history = model.fit(inputs, targets, batch_size=8, epochs=60, verbose=0).history["loss"]
    assert history[-1] < 1e-3 * history[0]
    np.testing.assert_allclose(np.square(layer.trainable_weights[0].numpy()), [1.0, 4.0], rtol=0.05)
    model.export(tmp_path / "saved", verbose=False)
    loaded = tf.saved_model.load(tmp_path / "saved")
    np.testing.assert_allclose(loaded.serve(double(inputs)), model(double(inputs)), rtol=1e-12)


def test_saved_model(folder: Path, tmp_path: Path) -> None:
    class Model(tf.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            self.wave = enzyme_cc.tensorflow.wrap(WAVE.function(folder))

        @tf.function(input_signature=[tf.TensorSpec([None], tf.float64)])  # type: ignore[untyped-decorator]
        def __call__(self, x: Any) -> Any:
            return self.wave(x)

    model, x = Model(), double([0.7, 1.3, 0.4])
    tf.saved_model.save(model, str(tmp_path / "model"))
    loaded = tf.saved_model.load(str(tmp_path / "model"))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        got, want = loaded(x), model.wave(x)
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(tape.gradient(got, x), tape.gradient(want, x))


def test_what_does_not_fit_is_refused(folder: Path) -> None:
    norm = enzyme_cc.tensorflow.wrap(NORM.function(folder))
    mixed = enzyme_cc.tensorflow.wrap(MIXED.function(folder))
    x = double([1.0, 2.0, 3.0])
    with pytest.raises(TypeError, match=r"x: wanted float64 x\[n\]; got float32 of shape \(3,\)"):
        norm(tf.cast(x, tf.float32))
    with pytest.raises(ValueError, match="x: wanted 1 dimensions"):
        norm(tf.stack([x, x]))
    with pytest.raises(TypeError, match="norm takes x; got 2 values"):
        norm(x, 3)
    with pytest.raises(ValueError, match=r"w: wanted float64 w\[n\] with n = 3, shape \(3,\); got shape \(2,\)"):
        mixed(x, x[:2], tf.constant(3), 0.8)
    graph = tf.function(
        lambda x, w: mixed(x, w, tf.constant(3), 0.8), input_signature=[tf.TensorSpec([None], tf.float64)] * 2
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="w: wanted float64"):
        graph(x, x[:2])
    checked = wrapped(folder, "checked", "x[n], n -> return", "checked.cpp")
    with pytest.raises(tf.errors.UnknownError, match="too large"):
        checked(double([100.0] * 3))


def test_integers_that_determine_shapes(folder: Path) -> None:
    grid = wrapped(folder, "grid", "a, n, out y[n]")
    steps = np.arange(4.0)
    np.testing.assert_allclose(grid(0.5, 4), np.sin(0.5 * steps))
    graph = tf.function(grid, input_signature=[tf.TensorSpec([], tf.float64), tf.TensorSpec([], tf.int32)])
    np.testing.assert_allclose(graph(double(0.5), tf.constant(4)), np.sin(0.5 * steps))


def test_tf_enzyme(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "void f(float* inp, size_t n, float* out) { for (size_t i = 0; i < n; i++) out[i] = inp[i] * inp[i]; }"
    Path("test.c").write_text(f"#include <stddef.h>\n{text}\n")
    inp = tf.Variable(tf.reshape(tf.range(6.0), (2, 3)))
    from tf_enzyme import enzyme

    with tf.GradientTape() as tape:
        out = enzyme(inp, filename="test.c", function="f")
    np.testing.assert_allclose(out, inp * inp)
    np.testing.assert_allclose(tape.gradient(out, inp), 2 * inp)


def test_examples_print_what_the_page_says(tmp_path: Path, folder: Path) -> None:
    examples("tensorflow").check(tmp_path)
