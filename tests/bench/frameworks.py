"""Compiled functions in PyTorch and JAX: the overhead of a call, and steps of 64 bodies beside the framework's own.

    python tests/bench/frameworks.py

Frameworks that are not installed are left out. Constants are tensors that are made once, as in a training loop: PyTorch
takes 2 us to make one of a Python number. Times are the shortest of many calls, in microseconds, on one thread;
those of a compiled function and of the framework's own function are taken in turns. Times of several steps are times
of one of them.
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
# One function from the bodies to a number: the sum of the squares of all positions.
SPREAD = """#include <vector>
extern "C" void simulate(const double *, const double *, const double *, int, int, double, double *);
extern "C" double spread(const double *position, const double *velocity, const double *mass, int n, int steps,
                         double dt) {
    std::vector<double> path(3 * n * steps);
    simulate(position, velocity, mass, n, steps, dt, path.data());
    double sum = 0;
    for (double x : path)
        sum += x * x;
    return sum;
}
"""
BODIES, DT = 64, 0.01
STEPS = (1, 10, 100)


def microseconds(*calls: Callable[[], object], seconds: float = 4.0) -> list[float]:
    """Returns the shortest time of each call, after one that builds what is missing. The calls take turns."""
    best = [float("inf")] * len(calls)
    for call in calls:
        call()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for i, call in enumerate(calls):
            for _ in range(20):
                start = time.perf_counter()
                call()
                best[i] = min(best[i], time.perf_counter() - start)
    return [seconds * 1e6 for seconds in best]


def show(name: str, ours: Callable[[], object], theirs: Callable[[], object], steps: int = 1) -> None:
    """Prints a row: both times and how many times faster ours is."""
    a, b = (found / steps for found in microseconds(ours, theirs))
    print(f"{name:50} {a:10.1f} {b:10.1f} {b / a:8.2f}", flush=True)


def functions() -> tuple[Any, Any]:
    """Returns the small function, and the simulation of the sample."""
    import enzyme_cc

    folder = Path(os.environ.get("TMPDIR", "/tmp")) / f"enzyme-cc-bench-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    (folder / "small.c").write_text(SMALL)
    (folder / "spread.cpp").write_text(SPREAD)
    small = enzyme_cc.function(folder / "small.c", "f", "x[3], y[3] -> return")
    signature = "position[n,3], velocity[n,3], mass[n], n, steps, const dt -> return"
    sources = [SAMPLE / "forces.cpp", SAMPLE / "simulate.cpp", folder / "spread.cpp"]
    return small, enzyme_cc.function(sources, "spread", signature, flags="-O3 -march=native -ffast-math")


def bench_numpy(spread: Any, start: list[Any]) -> None:
    """Prints the times of the compiled steps without a framework."""
    for steps in STEPS:
        inputs = (*start, steps, DT)
        found = microseconds(lambda given=inputs: spread(*given), lambda given=inputs: spread.value_and_grad(*given))
        primal, both = (each / steps for each in found)
        print(f"NumPy, {BODIES} bodies, {steps} steps in a call: a step {primal:.1f} us, with gradient {both:.1f} us")


def bench_torch(small: Any, spread: Any, start: list[Any]) -> None:
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
        lambda: f(x, y).backward(),
        lambda: torch.dot(x, y).backward(),
    )
    compiled = enzyme_cc.torch.wrap(spread)
    tensors = [torch.tensor(array, requires_grad=True) for array in start]
    for steps in STEPS:
        numbers = torch.tensor(steps, dtype=torch.int32), torch.tensor(DT, dtype=torch.float64)

        def ours(numbers: Any = numbers) -> Any:
            return torch.autograd.grad(compiled(*tensors, *numbers), tensors)

        def theirs(steps: int = steps) -> Any:
            path = rewritten.simulate(*tensors, steps=steps, dt=DT)
            return torch.autograd.grad(path.square().sum(), tensors)

        torch.testing.assert_close(ours(), theirs(), rtol=1e-6, atol=1e-6)
        show(f"PyTorch: value and gradient, {BODIES} bodies, {steps} steps", ours, theirs, steps)


def bench_jax(small: Any, spread: Any, start: list[Any]) -> None:
    """Prints the figures of JAX."""
    import jax
    import jax.numpy as jnp

    import enzyme_cc.jax

    jax.config.update("jax_enable_x64", True)
    f, empty = jax.jit(enzyme_cc.jax.wrap(small)), jax.jit(lambda x, y: x[0])
    x, y = jnp.ones(3), jnp.ones(3)
    show(
        "JAX: jitted call, 3 numbers; own: x[0]",
        lambda: f(x, y).block_until_ready(),
        lambda: empty(x, y).block_until_ready(),
    )
    wrapped = enzyme_cc.jax.wrap(spread)

    def rewritten(position: Any, velocity: Any, mass: Any, steps: int) -> Any:
        def step(state: Any, _: Any) -> Any:
            position, velocity = state
            apart = position[None] - position[:, None]
            squared = (apart**2).sum(-1) + 1e-2
            velocity = velocity + DT * ((mass / (squared * jnp.sqrt(squared)))[..., None] * apart).sum(1)
            position = position + DT * velocity
            return (position, velocity), jnp.sum(position**2)

        if steps > 10:  # shorter loops are faster if they are unrolled
            return jnp.sum(jax.lax.scan(step, (position, velocity), length=steps)[1])
        state, total = (position, velocity), 0.0
        for _ in range(steps):
            state, spread_now = step(state, None)
            total += spread_now
        return total

    arrays = [jnp.asarray(array) for array in start]
    for steps in STEPS:
        pair = (lambda *a, n=steps: wrapped(*a, n, DT), lambda *a, n=steps: rewritten(*a, n))
        ours, theirs = (jax.jit(jax.value_and_grad(g, argnums=(0, 1, 2))) for g in pair)
        for a, b in zip(jax.tree.leaves(ours(*arrays)), jax.tree.leaves(theirs(*arrays)), strict=True):
            assert jnp.allclose(a, b, rtol=1e-6, atol=1e-6), (a, b)
        show(
            f"JAX: value and gradient, {BODIES} bodies, {steps} steps",
            lambda g=ours: jax.block_until_ready(g(*arrays)),
            lambda g=theirs: jax.block_until_ready(g(*arrays)),
            steps,
        )


def main() -> None:
    """Prints the measurements."""
    import numpy as np

    small, spread = functions()
    random = np.random.default_rng(0)
    start = [random.standard_normal((BODIES, 3)), random.standard_normal((BODIES, 3)), random.random(BODIES)]
    bench_numpy(spread, start)
    print(f"{'us':50} {'compiled':>10} {'own':>10} {'ratio':>8}")
    for bench in (bench_torch, bench_jax):
        try:
            bench(small, spread, start)
        except ImportError as missing:
            print(missing)


if __name__ == "__main__":
    main()
