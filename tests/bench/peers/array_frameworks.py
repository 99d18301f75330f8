"""A gradient by JAX or PyTorch: `python -m tests.bench.peers.array_frameworks FRAMEWORK PROBLEM FILE check|derivative`.

FILE is what overloading/arguments.cpp wrote. As main.cpp of samples/adbench does, `check` compares with the derivatives
by hand, and `derivative` prints seconds of processor time of the first call and of later ones, and the peak of memory
in kB. Frameworks use one thread of the processor, and double precision.
"""

from __future__ import annotations

import os
import re
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .array_problems import PROBLEMS, WITH_HESSIAN


@dataclass(frozen=True)
class Argument:
    value: Any  # an array, or a number
    differentiated: bool


def read(path: Path) -> list[Argument]:
    """The last one has the derivatives by hand."""
    found = []
    with path.open("rb") as file:
        while line := file.readline():
            kind, activity, shape = line.decode().split()
            count = 1 if shape == "one" else int(shape)
            of_kind = np.dtype(np.int32 if kind == "int" else np.float64)
            array = np.frombuffer(file.read(count * of_kind.itemsize), of_kind).copy()  # PyTorch wants to write
            found.append(Argument(array[0].item() if shape == "one" else array, activity == "dup"))
    return found


class Jax:
    """Operations for array_problems.py, and what makes a derivative: compiled as a whole."""

    def __init__(self) -> None:
        os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
        import jax

        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_platforms", "cpu")
        self.jax, self.xp, self.np = jax, self, jax.numpy
        self.logsumexp = jax.scipy.special.logsumexp
        self.sigmoid, self.scan = jax.nn.sigmoid, jax.lax.scan

    def __getattr__(self, name: str) -> Any:
        return getattr(self.np, name)

    def least(self, a: Any, axis: int) -> Any:
        return self.np.min(a, axis)

    def power_spectrum(self, re: Any, im: Any) -> Any:
        spectrum = self.np.fft.fft(re + 1j * im)
        return spectrum.real**2 + spectrum.imag**2

    def integers(self, a: Any) -> Any:
        return a.astype(int)

    def positive(self, a: Any) -> Any:
        return self.np.maximum(a, 0)

    def framed(self, a: Any) -> Any:
        return self.np.pad(a, 1)

    def derivative(self, f: Callable[..., Any], inputs: list[Any], hessian: bool) -> Callable[[], list[Any]]:
        jax = self.jax
        gradient = jax.grad(f, argnums=tuple(range(len(inputs))))

        def both(*at: Any) -> Any:
            ones = tuple(self.np.ones_like(x) for x in at)
            found, diagonal = jax.jvp(gradient, at, ones)
            return (*found, *diagonal)

        compiled = jax.jit(both if hessian else gradient)
        at = [self.np.asarray(x) for x in inputs]
        return lambda: jax.block_until_ready(compiled(*at))


class Torch:
    """Operations for array_problems.py, and what makes a derivative: one operation after the other."""

    def __init__(self) -> None:
        import torch

        torch.set_num_threads(1)
        torch.set_default_dtype(torch.float64)
        self.torch = torch
        self.concatenate, self.power = torch.cat, torch.pow

    def __getattr__(self, name: str) -> Any:
        return getattr(self.torch, name)

    def scan(self, step: Callable[[Any, Any], tuple[Any, Any]], state: Any, given: Any) -> tuple[Any, Any]:
        out = []
        for one in zip(*given, strict=True) if isinstance(given, tuple) else given:
            state, more = step(state, one)
            out.append(more)
        return state, None if not out or out[0] is None else self.torch.stack(out)

    def least(self, a: Any, axis: int) -> Any:
        return self.torch.min(a, axis).values

    def flip(self, a: Any) -> Any:
        return self.torch.flip(a, (0,))

    def power_spectrum(self, re: Any, im: Any) -> Any:
        spectrum = self.torch.fft.fft(self.torch.complex(re, im))
        return spectrum.real**2 + spectrum.imag**2

    def integers(self, a: Any) -> Any:
        return a.long()

    def positive(self, a: Any) -> Any:
        return self.torch.relu(a)

    def framed(self, a: Any) -> Any:
        return self.torch.nn.functional.pad(a, (1, 1, 1, 1))

    def asarray(self, x: Any) -> Any:
        return self.torch.tensor(x)

    def derivative(self, f: Callable[..., Any], inputs: list[Any], hessian: bool) -> Callable[[], list[Any]]:
        torch = self.torch
        at = [torch.tensor(x, requires_grad=True) for x in inputs]

        def gradient() -> list[Any]:
            found = torch.autograd.grad(f(*at), at, create_graph=hessian)
            more = torch.autograd.grad(found, at, [torch.ones_like(x) for x in at]) if hessian else ()
            return [x.detach() for x in (*found, *more)]

        return gradient


FRAMEWORKS: dict[str, Callable[[], Any]] = {"jax": Jax, "torch": Torch}


def derivative_of(framework: str, name: str, arguments: list[Argument]) -> Callable[[], list[Any]]:
    xp = FRAMEWORKS[framework]()
    hessian = name in WITH_HESSIAN
    active = [i for i, a in enumerate(arguments) if a.differentiated][: 1 if hessian else None]
    fixed = [
        xp.asarray(a.value) if isinstance(a.value, np.ndarray) and a.value.dtype == float else a.value
        for a in arguments
    ]

    def of_inputs(*inputs: Any) -> Any:
        given = list(fixed)
        for place, x in zip(active, inputs, strict=True):
            given[place] = x
        return PROBLEMS[name](xp, *given)

    return xp.derivative(of_inputs, [arguments[i].value for i in active], hessian)


def check(derivative: Callable[[], list[Any]], expected: Any) -> int:
    found = np.concatenate([np.asarray(x).reshape(-1) for x in derivative()])
    scale, difference = np.abs(expected).max(), np.abs(found - expected).max()
    print(f"{found.size} derivatives, largest {scale:.6e}, difference {difference:.1e}")
    return int(difference > 1e-9 * scale + 1e-12)


def measure(derivative: Callable[[], list[Any]]) -> None:
    times: list[float] = []
    # as main.cpp, but no more than two calls of many seconds
    while len(times) < 2 or (sum(times) < 10 and (len(times) < 6 or (sum(times[1:]) < 0.1 and len(times) < 1000))):
        start = time.process_time()
        derivative()
        times.append(time.process_time() - start)
    peak = re.findall(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())[0]
    print(f"{times[0]:.9f} {statistics.median(times[1:]):.9f} {peak}")


def main() -> int:
    framework, name, path, what, *_ = sys.argv[1:]
    *arguments, by_hand = read(Path(path))
    derivative = derivative_of(framework, name, arguments)
    if what == "check":
        return check(derivative, by_hand.value)
    measure(derivative)
    return 0


if __name__ == "__main__":
    sys.exit(main())
