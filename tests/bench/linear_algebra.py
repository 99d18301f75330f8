"""Gradients through BLAS and LAPACK as binaries, beside adjoints written by hand, JAX and PyTorch.

    OPENBLAS_NUM_THREADS=1 python tests/bench/linear_algebra.py

linear_algebra.c describes the functions. Times are the shortest of 30 calls, in milliseconds of processor time, on
one thread: of the function, of its gradient, and the quotient. A row for adjoints by hand, JAX or PyTorch ends with
the time of its gradient over ours. Frameworks that are not installed are left out; they use the linear algebra that
they bring. The last line is the chain's memory: what its gradient adds to the process, over what must be kept (the
two results and their adjoints, beside the buffers of the library), and the same by hand.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
ENZYME_CC = Path(sys.executable).parent / "enzyme-cc"
SOURCE = Path(__file__).with_suffix(".c")
N, ROUNDS = 500, 30
MATRIX = 8 * N * N / 1024  # kilobytes

Timed = tuple[str, Callable[[], object], Callable[[], object]]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "linear_algebra"
        subprocess.run([ENZYME_CC, "-O2", SOURCE, "-o", program, "-lopenblas", "-lm"], check=True)
        ours = {}
        for line in output(program).splitlines():
            name, primal, gradient, hand, error = line.split()
            ours[name] = float(gradient) / 1000
            show(name, "enzyme-cc", float(primal) / 1000, ours[name])
            show(name, "by hand", float(primal) / 1000, float(hand) / 1000, ours[name])
            assert float(error) < 1e-10
        for framework, functions in (("JAX", jax_functions), ("PyTorch", torch_functions)):
            try:
                timed = list(functions())
            except ImportError:
                continue
            for name, primal, gradient in timed:
                show(name, framework, shortest(primal), shortest(gradient), ours[name])
        least, by_hand, own = (float(output(program, which)) for which in ("primal", "hand", "ours"))
        kept = least + 2 * MATRIX
        print(f"memory: {own / kept:.2f} of what must be kept, by hand {by_hand / kept:.2f}")


def output(*command: object) -> str:
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def show(name: str, who: str, primal: float, gradient: float, ours: float = 0) -> None:
    beside = f"{gradient / ours:6.2f} of ours" if ours else ""
    print(f"{name:18} {who:10} {primal:8.2f} {gradient:8.2f} {gradient / primal:6.2f} {beside}", flush=True)


def shortest(call: Callable[[], object]) -> float:
    """Returns the shortest time of a call, in milliseconds of processor time, after one that compiles."""
    call()
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return 1000 * best


def jax_functions() -> Iterator[Timed]:
    import jax
    import jax.numpy as jnp
    from jax.scipy.linalg import solve_triangular

    jax.config.update("jax_enable_x64", True)

    def chain(a: Any, b: Any) -> Any:
        return solve_triangular(jnp.linalg.cholesky(a @ a.T + N * jnp.eye(N)), b, lower=True).sum()

    def solution(a: Any, b: Any) -> Any:
        return jnp.linalg.solve(a, b).sum()

    a, b, column = operands(jnp.array)
    for name, f, right in (("chain", chain, b), ("dgesv", solution, column), ("dgesv_of_matrices", solution, b)):
        primal, gradient = jax.jit(f), jax.jit(jax.grad(f, (0, 1)))
        yield (
            name,
            lambda primal=primal, right=right: primal(a, right).block_until_ready(),
            lambda gradient=gradient, right=right: jax.block_until_ready(gradient(a, right)),
        )


def torch_functions() -> Iterator[Timed]:
    import torch

    torch.set_num_threads(1)

    def chain(a: Any, b: Any) -> Any:
        factor = torch.linalg.cholesky(a @ a.T + N * torch.eye(N, dtype=torch.float64))
        return torch.linalg.solve_triangular(factor, b, upper=False).sum()

    def solution(a: Any, b: Any) -> Any:
        return torch.linalg.solve(a, b).sum()

    a, b, column = (x.requires_grad_() for x in operands(torch.tensor))
    for name, f, right in (("chain", chain, b), ("dgesv", solution, column), ("dgesv_of_matrices", solution, b)):
        yield (
            name,
            lambda f=f, right=right: f(a.detach(), right.detach()),
            lambda f=f, right=right: torch.autograd.grad(f(a, right), (a, right)),
        )


def operands(array: Callable[[Any], Any]) -> tuple[Any, Any, Any]:
    """Returns A, B and one column, as linear_algebra.c has them."""
    import numpy as np

    i = np.arange(N * N)
    a = np.sin(i * 0.7 + i % 13) + np.where(i % (N + 1) == 0, 2, 0)
    b = np.cos(i * 0.3 + i % 7).reshape(N, N)
    return array(a.reshape(N, N)), array(b), array(b[:, :1].copy())


if __name__ == "__main__":
    main()
