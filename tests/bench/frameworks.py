"""Compiled functions in PyTorch and JAX: the overhead of a call, and a step of 64 bodies beside the framework's own.

    python tests/bench/frameworks.py

Frameworks that are not installed are left out. Times are the shortest of many calls, in microseconds, on one thread.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
SAMPLE = Path(__file__).parents[2] / "samples" / "pytorch"
SMALL = "double f(const double *x, const double *y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] * y[2]; }\n"
BODIES, DT = 64, 0.01


def microseconds(call: Callable[[], object], seconds: float = 2.0) -> float:
    """Returns the shortest time of a call, after one that builds what is missing."""
    call()
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best * 1e6


def show(name: str, ours: float, theirs: float) -> None:
    """Prints a row: both times and how many times faster ours is."""
    print(f"{name:42} {ours:10.1f} {theirs:10.1f} {theirs / ours:8.2f}", flush=True)


def functions() -> tuple[Any, Any]:
    """Returns the small function, and the simulation of the sample."""
    import enzyme_cc

    folder = Path(os.environ.get("TMPDIR", "/tmp")) / f"enzyme-cc-bench-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    (folder / "small.c").write_text(SMALL)
    small = enzyme_cc.function(folder / "small.c", "f", "x[3], y[3] -> return")
    signature = "position[n,3], velocity[n,3], mass[n], n, steps, const dt, out path[steps,n,3]"
    sources = [SAMPLE.parent / "nbody" / "step.cpp", SAMPLE / "simulate.cpp"]
    flags = "-O3 -march=native -ffast-math"
    return small, enzyme_cc.function(sources, "simulate", signature, flags=flags, include=[SAMPLE.parent / "nbody"])


def bench_numpy(simulate: Any, start: list[Any]) -> None:
    """Prints the times of the compiled step alone."""
    import numpy as np

    weights = np.ones((1, BODIES, 3))
    primal = microseconds(lambda: simulate(*start, 1, DT))
    gradient = microseconds(lambda: simulate.vjp(*start, 1, DT)(weights))
    print(f"the step of {BODIES} bodies: {primal:.1f} us; with its gradient: {gradient:.1f} us")


def bench_torch(small: Any, simulate: Any, start: list[Any]) -> None:
    """Prints the figures of PyTorch."""
    import torch

    import enzyme_cc.torch

    sys.path.insert(0, str(SAMPLE))
    import rewritten

    torch.set_num_threads(1)
    f = enzyme_cc.torch.wrap(small)
    x, y = (torch.rand(3, dtype=torch.float64, requires_grad=True) for _ in range(2))
    show(
        "PyTorch: forward and backward, 3 numbers",
        microseconds(lambda: f(x, y).backward()),
        microseconds(lambda: torch.dot(x, y).backward()),
    )
    compiled = enzyme_cc.torch.wrap(simulate)
    tensors = [torch.tensor(array, requires_grad=True) for array in start]
    show(
        f"PyTorch: value and gradient, {BODIES} bodies",
        microseconds(lambda: compiled(*tensors, 1, DT).square().sum().backward()),
        microseconds(lambda: rewritten.simulate(*tensors, steps=1, dt=DT).square().sum().backward()),
    )


def bench_jax(small: Any, simulate: Any, start: list[Any]) -> None:
    """Prints the figures of JAX."""
    import jax
    import jax.numpy as jnp

    import enzyme_cc.jax

    jax.config.update("jax_enable_x64", True)
    f, dot = jax.jit(enzyme_cc.jax.wrap(small)), jax.jit(jnp.dot)
    x, y = jnp.ones(3), jnp.ones(3)
    show(
        "JAX: jitted call, 3 numbers",
        microseconds(lambda: f(x, y).block_until_ready()),
        microseconds(lambda: dot(x, y).block_until_ready()),
    )
    step = enzyme_cc.jax.wrap(simulate)

    def rewritten(position: Any, velocity: Any, mass: Any) -> Any:
        apart = position[None] - position[:, None]
        squared = (apart**2).sum(-1) + 1e-2
        acceleration = ((mass / (squared * jnp.sqrt(squared)))[..., None] * apart).sum(1)
        return jnp.sum((position + DT * (velocity + DT * acceleration)) ** 2)

    def compiled(*arrays: Any) -> Any:
        return jnp.sum(step(*arrays, 1, DT) ** 2)

    arrays = [jnp.asarray(array) for array in start]
    ours, theirs = (jax.jit(jax.value_and_grad(g, argnums=(0, 1, 2))) for g in (compiled, rewritten))
    for a, b in zip(jax.tree.leaves(ours(*arrays)), jax.tree.leaves(theirs(*arrays)), strict=True):
        assert jnp.allclose(a, b, rtol=1e-9), (a, b)
    show(
        f"JAX: value and gradient, {BODIES} bodies",
        microseconds(lambda: jax.block_until_ready(ours(*arrays))),
        microseconds(lambda: jax.block_until_ready(theirs(*arrays))),
    )


def main() -> None:
    """Prints the measurements."""
    import numpy as np

    small, simulate = functions()
    random = np.random.default_rng(0)
    start = [random.standard_normal((BODIES, 3)), random.standard_normal((BODIES, 3)), random.random(BODIES)]
    bench_numpy(simulate, start)
    print(f"{'us':42} {'compiled':>10} {'own':>10} {'ratio':>8}")
    for bench in (bench_torch, bench_jax):
        try:
            bench(small, simulate, start)
        except ImportError as missing:
            print(missing)


if __name__ == "__main__":
    main()
