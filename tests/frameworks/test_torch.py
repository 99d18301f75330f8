"""Compiled functions under PyTorch: against the same functions in PyTorch, and gradcheck to second order."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402
from torch.autograd import forward_ad, gradcheck, gradgradcheck  # noqa: E402
from torch.func import grad, hessian, jacfwd, jacrev, vmap  # noqa: E402

import enzyme_cc  # noqa: E402
import enzyme_cc.torch  # noqa: E402
from enzyme_cc.frameworks.torch_operations.torch_module import FunctionLayer  # noqa: E402
from tests.docs.page import examples  # noqa: E402

from .compiled import CASES, CompiledCase  # noqa: E402

#: NumPy's names in PyTorch
TORCH_NUMPY = SimpleNamespace(
    sqrt=torch.sqrt,
    sin=torch.sin,
    exp=torch.exp,
    conj=torch.conj,
    cumprod=torch.cumprod,
    concatenate=torch.cat,
)
NORM, WAVE, MIXED = CASES[:3]


def wrapped(folder: Path, name: str, signature: str, file: str = "functions.c") -> Any:
    return enzyme_cc.torch.wrap(enzyme_cc.function(folder / file, name, signature))


def double(values: Any) -> Any:
    return torch.tensor(values, dtype=torch.float64)


def tensors(case: CompiledCase) -> list[Any]:
    return [x if isinstance(x, int) else torch.from_numpy(np.array(x)) for x in case.inputs]


def active(case: CompiledCase) -> tuple[int, ...]:
    """The inputs with a derivative: numbers, but not the weights that the signature calls constant."""
    constants = {1} if case.name == "mixed" else set()
    return tuple(i for i, x in enumerate(case.inputs) if np.asarray(x).dtype.kind in "fc" and i not in constants)


def of_active(case: CompiledCase, function: Any) -> tuple[Callable[..., Any], list[Any]]:
    """Returns the function of its active inputs alone, and these inputs."""
    inputs, on = tensors(case), active(case)

    def call(*moving: Any) -> Any:
        whole = list(inputs)
        for i, x in zip(on, moving, strict=True):
            whole[i] = x
        return function(*whole)

    return call, [inputs[i] for i in on]


def close(got: Any, want: Any, single: bool = False) -> None:
    if isinstance(want, tuple):
        assert len(got) == len(want)
        for a, b in zip(got, want, strict=True):
            close(a, b, single)
    else:
        torch.testing.assert_close(got, want, rtol=1e-5 if single else 1e-11, atol=1e-6 if single else 1e-12)


EACH_CASE = pytest.mark.parametrize("case", CASES, ids=[f"{case}{i}" for i, case in enumerate(CASES)])


@EACH_CASE
def test_values_and_derivatives_are_those_of_pytorch(case: CompiledCase, folder: Path) -> None:
    def reference(*inputs: Any) -> Any:
        return case.reference(TORCH_NUMPY, *inputs)

    ours, moving = of_active(case, enzyme_cc.torch.wrap(case.function(folder)))
    theirs, _ = of_active(case, reference)
    single = case.name == "single"
    close(ours(*moving), theirs(*moving), single)
    leaves = [x.requires_grad_() for x in moving]
    values, others = ours(*leaves), theirs(*leaves)
    pairs = [(values, others)] if torch.is_tensor(values) else list(zip(values, others, strict=True))
    for value, other in pairs:
        seed = torch.full_like(value, 2 - 1j) if value.is_complex() else torch.full_like(value, 2)
        got = torch.autograd.grad(value, leaves, seed, retain_graph=True, materialize_grads=True)
        want = torch.autograd.grad(other, leaves, seed, retain_graph=True, materialize_grads=True)
        close(got, want, single)


@EACH_CASE
def test_gradcheck(case: CompiledCase, folder: Path) -> None:
    call, moving = of_active(case, enzyme_cc.torch.wrap(case.function(folder)))
    leaves = [x.requires_grad_() for x in moving]
    if case.name == "single":
        assert gradcheck(call, leaves, check_forward_ad=True, eps=1e-2, atol=1e-2)
        return
    assert gradcheck(call, leaves, check_forward_ad=True)
    assert gradgradcheck(call, leaves, check_fwd_over_rev=True)


TRANSFORMS: dict[str, Callable[[Any], Any]] = {
    "jacrev": jacrev,
    "jacfwd": jacfwd,
    "forward over reverse": hessian,
    "reverse over reverse": lambda f: jacrev(jacrev(f)),
    "forward over forward": lambda f: jacfwd(jacfwd(f)),
    "reverse over forward": lambda f: jacrev(jacfwd(f)),
    "jacrev in vmap": lambda f: lambda x: vmap(jacrev(f))(x.outer(x)),
    "hessian of vmap": lambda f: lambda x: hessian(vmap(f))(x.outer(x)),
    "vmap in vmap": lambda f: lambda x: vmap(vmap(f, 1), 2)(x.outer(x)[:, :, None] * x),
    "jacrev of vmap in vmap": lambda f: lambda x: jacrev(vmap(vmap(f), 1))(x.outer(x)[:, :, None] + x),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_torch_func(name: str, folder: Path) -> None:
    wave = enzyme_cc.torch.wrap(WAVE.function(folder))

    def reference(x: Any) -> Any:
        return x * x * torch.cat([x[1:], x[:1]])

    x = double([0.7, 1.3, 0.4])
    close(TRANSFORMS[name](wave)(x), TRANSFORMS[name](reference)(x))


def test_vmap_of_some_inputs(folder: Path) -> None:
    mixed = enzyme_cc.torch.wrap(MIXED.function(folder))

    def ours(x: Any, w: Any, a: Any) -> Any:
        return mixed(x, w, 3, a)

    def reference(x: Any, w: Any, a: Any) -> Any:
        return w * torch.sin(a * x), (x**3).sum() * a

    x, w, a = double([0.2, 0.9, 1.4]), double([2.0, 3.0, 4.0]), double([0.5, 0.9])
    for in_dims, given in [((None, None, 0), (x, w, a)), ((1, None, None), (x[:, None] * a, w, a[0]))]:
        transform = {
            "values": lambda f, d=in_dims: vmap(f, d),
            "reverse": lambda f, d=in_dims: jacrev(vmap(f, d), (0, 2)),
            "forward": lambda f, d=in_dims: jacfwd(vmap(f, d), (0, 2)),
            "inside": lambda f, d=in_dims: vmap(grad(lambda *v: f(*v)[1], (0, 2)), d),
        }
        for change in transform.values():
            close(change(ours)(*given), change(reference)(*given))


def test_forward_mode(folder: Path) -> None:
    mixed = enzyme_cc.torch.wrap(MIXED.function(folder))
    x, w, v = double([0.2, 0.9, 1.4]), double([2.0, 3.0, 4.0]), double([1.0, -1.0, 0.5])
    with forward_ad.dual_level():
        y, s = mixed(forward_ad.make_dual(x, v), w, 3, 0.8)
        close(forward_ad.unpack_dual(y).tangent, w * 0.8 * torch.cos(0.8 * x) * v)
        close(forward_ad.unpack_dual(s).tangent, (0.8 * 3 * x * x * v).sum())


def test_memory_of_every_kind(folder: Path) -> None:
    """Strides, expanded tensors, lazy conjugates and negatives have the values that PyTorch gives them."""
    norm, rotated = wrapped(folder, "norm", "x[n], n -> return"), wrapped(folder, "rotated", CASES[5].signature)
    table = wrapped(folder, "table", "a[n], b[m], n, m, out c[n,m]")
    x = double(np.arange(12.0).reshape(3, 4) + 1).requires_grad_()
    (g,) = torch.autograd.grad(norm(x[:, 1]), x)
    close(g[:, 1], (x[:, 1] / x[:, 1].norm()).detach())
    assert g[:, 0].abs().sum() == 0
    one = double(2.0).requires_grad_()
    (g,) = torch.autograd.grad(norm(one.expand(4)), one)
    close(g, double(2.0))
    z = torch.tensor([0.7 + 0.5j, 1.3 - 0.1j], dtype=torch.complex128)
    close(rotated(z.conj(), 1j), rotated(z.conj().resolve_conj(), 1j))
    close(norm(z.conj().imag), norm(-z.imag))
    a, b = double([1.0, 2.0]).requires_grad_(), double([3.0, 4.0, 5.0])
    seed = double(np.arange(6.0).reshape(3, 2)).T
    (g,) = torch.autograd.grad(table(a, b), a, seed)
    close(g, seed @ (b * b))


def test_fortran_arrays_are_column_major(folder: Path) -> None:
    case = CASES[-1]
    product = enzyme_cc.torch.wrap(case.function(folder))
    a, x = tensors(case)
    for arranged in (a, a.T.contiguous().T):
        close(product(arranged, x), a @ (x * x))
        close(vmap(product)(torch.stack([arranged, 2 * arranged]), torch.stack([x, x]))[1], 2 * a @ (x * x))


def test_integers_that_determine_shapes(folder: Path) -> None:
    grid = wrapped(folder, "grid", "a, n, out y[n]")
    steps = torch.arange(4, dtype=torch.float64)
    close(grid(0.5, 4), torch.sin(0.5 * steps))
    close(jacfwd(lambda a: grid(a, 4))(double(0.5)), steps * torch.cos(0.5 * steps))


def test_what_does_not_fit_is_refused(folder: Path) -> None:
    norm = enzyme_cc.torch.wrap(NORM.function(folder))
    mixed = enzyme_cc.torch.wrap(MIXED.function(folder))
    x = double([1.0, 2.0, 3.0])
    with pytest.raises(TypeError, match=r"x: wanted float64 x\[n\]; got torch.float32 of shape \(3,\)"):
        norm(x.float())
    with pytest.raises(ValueError, match="x: wanted 1 dimensions"):
        norm(torch.stack([x, x]))
    with pytest.raises(TypeError, match="norm takes x; got 2 values"):
        norm(x, 3)
    with pytest.raises(TypeError, match=r"x: wanted a tensor, .* got list"):
        norm([1.0])
    with pytest.raises(ValueError, match=r"w: wanted float64 w\[n\] with n = 3, shape \(3,\); got shape \(2,\)"):
        mixed(x, x[:2], 3, 0.8)
    with pytest.raises(TypeError, match=r"power: wanted a number, .* got float"):
        mixed(x, x, 2.5, 0.8)
    with pytest.raises(ValueError, match=r"power: .* does not fit int32"):
        mixed(x, x, 2**40, 0.8)
    with pytest.raises(ValueError, match="x: wanted a tensor on the CPU, got one on meta"):
        norm(x.to("meta"))
    with pytest.raises(TypeError, match="x: wanted a dense tensor"):
        norm(x.to_sparse())
    with pytest.raises(NotImplementedError, match="above the second order"):
        jacrev(jacrev(jacrev(norm)))(x)


def test_tensors_of_another_device(folder: Path) -> None:
    """With `device_copy`, results are where the inputs are. Tensors without memory stand for those of a GPU."""
    plain = enzyme_cc.torch.wrap(WAVE.function(folder))
    copying = enzyme_cc.torch.wrap(WAVE.function(folder), device_copy=True)
    x = double([0.7, 1.3, 0.4]).requires_grad_()
    close(copying(x), plain(x))
    close(torch.autograd.grad(copying(x).sum(), x), torch.autograd.grad(plain(x).sum(), x))
    with FakeTensorMode():
        elsewhere = torch.empty(3, dtype=torch.float64, device="cuda")
        y = copying(elsewhere)
        assert y.device == elsewhere.device and y.shape == (3,)
        with pytest.raises(ValueError, match=r"got one on cuda:0\n  remedy: x.cpu\(\), or wrap with device_copy=True"):
            plain(elsewhere)
    with pytest.raises(NotImplementedError, match="no data"):
        copying(x.to("meta"))


@EACH_CASE
def test_opcheck(case: CompiledCase, folder: Path) -> None:
    """PyTorch's own checks of operators, with derivatives, and with shapes that are not known."""
    wrapped_case = enzyme_cc.torch.wrap(case.function(folder))
    number_types = [p.element.dtype for p in wrapped_case.interface.inputs]
    inputs = [torch.tensor(x, dtype=getattr(torch, t)) for x, t in zip(case.inputs, number_types, strict=True)]
    for i in active(case):
        inputs[i].requires_grad_()
    found = torch.library.opcheck(wrapped_case._operator, tuple(inputs))
    assert set(found.values()) == {"SUCCESS"}


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@EACH_CASE
def test_compile_without_graph_break(case: CompiledCase, backend: str, folder: Path) -> None:
    ours, moving = of_active(case, enzyme_cc.torch.wrap(case.function(folder)))

    def scalar(*inputs: Any) -> Any:
        values = ours(*inputs)
        parts = values if isinstance(values, tuple) else (values,)
        return sum((torch.view_as_real(x) if x.is_complex() else x).sin().sum() for x in parts)

    leaves = [x.requires_grad_() for x in moving]
    torch._dynamo.reset()  # there is a limit to how often the same lines are compiled
    compiled = torch.compile(scalar, fullgraph=True, backend=backend)
    value = compiled(*leaves)
    close(value, scalar(*leaves))
    close(torch.autograd.grad(value, leaves), torch.autograd.grad(scalar(*leaves), leaves))


def test_compile_of_transforms_and_of_other_shapes(folder: Path) -> None:
    wave = enzyme_cc.torch.wrap(WAVE.function(folder))
    x = double([0.7, 1.3, 0.4])
    torch._dynamo.reset()
    rows = torch.stack([x, 2 * x])
    for transformed, given in ((vmap(wave), rows), (hessian(wave), x), (jacrev(vmap(wave)), rows)):
        compiled = torch.compile(transformed, fullgraph=True, backend="aot_eager")
        close(compiled(given), transformed(given))
    dynamic = torch.compile(lambda x: wave(x) + 1, fullgraph=True, backend="aot_eager", dynamic=True)
    for given in (x, torch.cat([x, x]), x[:2]):
        close(dynamic(given), wave(given) + 1)
    grid = wrapped(folder, "grid", "a, n, out y[n]")
    close(torch.compile(grid, fullgraph=True, backend="aot_eager")(double(0.5), 4), grid(0.5, 4))


def test_batches_of_cotangents(folder: Path) -> None:
    wave = enzyme_cc.torch.wrap(WAVE.function(folder))
    x = double([0.7, 1.3, 0.4]).requires_grad_()
    (rows,) = torch.autograd.grad(wave(x), x, torch.eye(3, dtype=torch.float64), is_grads_batched=True)
    close(rows, jacrev(wave)(x.detach()))
    for vectorize in (False, True):
        close(torch.autograd.functional.jacobian(wave, x, vectorize=vectorize), rows)


def test_derivatives_are_built_for_some_inputs_only(folder: Path) -> None:
    mixed = enzyme_cc.torch.wrap(MIXED.function(folder))
    x, w, a = double([0.2, 0.9, 1.4]), double([2.0, 3.0, 4.0]).requires_grad_(), double(0.8).requires_grad_()
    y, s = mixed(x, w, 3, a)
    (y.sum() + s).backward()
    assert w.grad is None  # the signature calls it constant
    close(a.grad, (w * x * torch.cos(0.8 * x)).sum().detach() + (x**3).sum())
    assert not mixed(x, w.detach(), 3, 0.8)[1].requires_grad
    empty = torch.zeros((0,), dtype=torch.float64).requires_grad_()
    wave = enzyme_cc.torch.wrap(WAVE.function(folder))
    wave(empty).sum().backward()
    assert empty.grad.shape == (0,)
    close(vmap(wave)(torch.zeros((0, 3), dtype=torch.float64)), torch.zeros((0, 3), dtype=torch.float64))


def test_layer(folder: Path, tmp_path: Path) -> None:
    mixed = enzyme_cc.function(folder / MIXED.file, MIXED.name, MIXED.signature)

    def made() -> Any:
        return enzyme_cc.torch.layer(mixed, w=double([2.0, 3.0, 4.0]), a=double(0.8))

    layer = made()
    assert isinstance(layer, FunctionLayer)
    assert [name for name, _ in layer.named_parameters()] == ["a"]
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    x = double([0.2, 0.9, 1.4])
    before = (layer(x, 3)[0] ** 2).sum()
    before.backward()
    optimizer.step()
    assert (layer(x, 3)[0] ** 2).sum() < before
    torch.save(layer.state_dict(), tmp_path / "state.pt")
    other = made()
    other.load_state_dict(torch.load(tmp_path / "state.pt"))
    close(other(x, 3), layer(x, 3))
    with pytest.raises(TypeError, match="mixed takes x, w, power, a; got b"):
        enzyme_cc.torch.layer(mixed, b=x)
    with pytest.raises(TypeError, match="mixed: wanted x, power here"):
        layer(x)
    of_number = enzyme_cc.torch.layer(mixed, w=double([2.0, 3.0, 4.0]), a=0.8)
    close(of_number(x, 3), made()(x, 3))
    close(pickle.loads(pickle.dumps(of_number))(x, 3), made()(x, 3))


def test_a_derivative_that_cannot_be_made_is_a_compile_error(tmp_path: Path) -> None:
    (tmp_path / "root.c").write_text('double f(double x) { __asm__("sqrtsd %0, %0" : "+x"(x)); return x; }\n')
    f = enzyme_cc.function(tmp_path / "root.c", "f", "x -> return")
    x = double(1.0).requires_grad_()
    with pytest.raises(enzyme_cc.CompileError, match="assembl"):
        jacfwd(enzyme_cc.torch.wrap(f))(x)


def test_threads(folder: Path) -> None:
    """Gradients of many threads are bitwise those of one."""
    mixed = enzyme_cc.torch.wrap(MIXED.function(folder))
    w = double([2.0, 3.0, 4.0])

    def gradients(seed: int) -> Any:
        found = []
        for i in range(50):
            x = double([0.1 * seed, 0.9, 0.01 * i]).requires_grad_()
            y, s = mixed(x, w, 3, 0.8)
            found.append(torch.autograd.grad(y.sum() + s, x)[0])
        return torch.stack(found)

    with ThreadPoolExecutor(8) as pool:
        parallel = list(pool.map(gradients, range(8)))
    assert all(torch.equal(got, gradients(seed)) for seed, got in enumerate(parallel))


def test_inputs_that_changed_before_backward_are_noticed(folder: Path) -> None:
    norm = enzyme_cc.torch.wrap(NORM.function(folder))
    x = double([1.0, 2.0, 3.0]).requires_grad_()
    y = 1 * x
    value = norm(y)
    y.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        value.backward()


def test_an_exception_reaches_python(folder: Path) -> None:
    checked = wrapped(folder, "checked", "x[n], n -> return", "checked.cpp")
    with pytest.raises(RuntimeError, match=r"checked: .*too large"):
        checked(torch.full((3,), 100.0, dtype=torch.float64))


def test_torch_enzyme(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "void f(float* inp, size_t n, float* out) { for (size_t i = 0; i < n; i++) out[i] = inp[i] * inp[i]; }"
    Path("test.c").write_text(f"#include <stddef.h>\n{text}\n")
    inp = torch.arange(6.0).reshape(2, 3).requires_grad_()
    from torch_enzyme import enzyme

    out = enzyme("test.c", "f").apply(inp)
    out.backward(torch.ones_like(out))
    close(out, inp * inp, single=True)
    close(inp.grad, 2 * inp.detach(), single=True)


def test_examples_print_what_the_page_says(tmp_path: Path, folder: Path) -> None:
    examples("torch").check(tmp_path)
