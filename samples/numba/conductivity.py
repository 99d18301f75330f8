"""Finds the conductivity along a rod from temperatures measured at some places. The model is a Numba function.

python conductivity.py
"""

import time

import numba
import numpy as np
from scipy.optimize import minimize

import enzyme_cc.numba

CELLS, STEPS, DT = 40, 400, 2e-4


@numba.njit
def heat(conductivity):
    """Returns the temperatures after each step, STEPS × CELLS. One end is heated, the other one is cooled."""
    h = 1.0 / CELLS
    u = np.zeros(CELLS)
    path = np.empty((STEPS, CELLS))
    for step in range(STEPS):
        flux = np.empty(CELLS + 1)
        flux[0] = 2 * conductivity[0] * (1.0 - u[0]) / h
        flux[CELLS] = 2 * conductivity[CELLS - 1] * u[CELLS - 1] / h
        for i in range(1, CELLS):
            between = 2 * conductivity[i - 1] * conductivity[i] / (conductivity[i - 1] + conductivity[i])
            flux[i] = between * (u[i - 1] - u[i]) / h
        for i in range(CELLS):
            u[i] += DT * (flux[i] - flux[i + 1]) / h
        path[step] = u
    return path


@numba.njit
def misfit(log_conductivity, measured, every):
    """Returns the squared error at each `every`-th cell, and a penalty on roughness."""
    path = heat(np.exp(log_conductivity))
    error = 0.0
    for step in range(STEPS):
        for i in range(0, CELLS, every):
            error += (path[step, i] - measured[step, i]) ** 2
    return error + 1e-3 * np.sum(np.diff(log_conductivity) ** 2)


value_and_grad = enzyme_cc.numba.value_and_grad(misfit)


def seconds(call):
    """Returns the shortest time of some calls."""
    times = []
    for _ in range(20):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    x = (np.arange(CELLS) + 0.5) / CELLS
    true = 0.5 + 0.4 * np.sin(2 * np.pi * x)
    measured = heat(true)

    def objective(log_conductivity):
        value, (gradient, _) = value_and_grad(log_conductivity, measured, 5)
        return value, gradient

    start = np.full(CELLS, np.log(0.5))
    found = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": 300})
    print(f"misfit {misfit(start, measured, 5):.3e} -> {found.fun:.3e} in {found.nit} iterations")
    print("conductivity  found", *(f"{k:.2f}" for k in np.exp(found.x[::5])))
    print("              true ", *(f"{k:.2f}" for k in true[::5]))
    ratio = seconds(lambda: objective(start)) / seconds(lambda: misfit(start, measured, 5))
    print(f"{CELLS} derivatives cost {ratio:.1f} times the function")


if __name__ == "__main__":
    main()
