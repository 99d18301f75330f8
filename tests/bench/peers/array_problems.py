"""Problems of samples/adbench as functions of arrays, as one writes them for JAX and PyTorch.

A function has the parameters of the C++ function that its problem wants differentiated, after `xp`: the operations of a
framework (tests/bench/peers/array_frameworks.py). Loops over samples, points, paths and cells are operations on arrays;
loops over time are `xp.scan`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Array = Any  # of the framework


def lower_triangle(d: int) -> np.ndarray[Any, Any]:
    """Where a matrix has its numbers: those below the diagonal by columns, and zero, which comes after them."""
    places = np.full((d, d), d * (d - 1) // 2)
    columns, rows = np.triu_indices(d, 1)
    places[rows, columns] = np.arange(d * (d - 1) // 2)
    return places


def gmm(xp: Any, d: int, K: int, n: int, weights: Array, means: Array, factors: Array, points: Array) -> Array:
    factors = factors.reshape(K, -1)
    q, below = factors[:, :d], factors[:, d:]
    diagonals = xp.exp(q)
    sums = q.sum(1)
    lower = xp.concatenate([below, xp.zeros((K, 1))], 1)[:, lower_triangle(d)]
    centred = points.reshape(n, 1, d) - means.reshape(1, K, d)
    product = diagonals * centred + xp.einsum("kij,nkj->nki", lower, centred)
    terms = weights + sums - 0.5 * (product**2).sum(2)
    prior = 0.5 * 1.3**2 * ((diagonals**2).sum() + (below**2).sum()) - 2 * sums.sum()
    return xp.logsumexp(terms, 1).sum() - n * xp.logsumexp(weights, 0) + prior


def lstm(xp: Any, layers: int, count: int, b: int, parameters: Array, start: Array, text: Array) -> Array:
    gates = parameters[: 8 * layers * b].reshape(layers, 2, 4, b)
    ends = parameters[8 * layers * b :].reshape(3, b)
    text = text.reshape(count, b)

    def step(state: Array, x: Array) -> tuple[Array, Array]:
        input, after = x * ends[0], []
        for layer in range(layers):
            weights, biases = gates[layer]
            hidden, cell = state[layer]
            forget = xp.sigmoid(input * weights[0] + biases[0])
            into = xp.sigmoid(hidden * weights[1] + biases[1])
            out = xp.sigmoid(input * weights[2] + biases[2])
            change = xp.tanh(hidden * weights[3] + biases[3])
            cell = cell * forget + into * change
            input = out * xp.tanh(cell)
            after += [input, cell]
        return xp.stack(after).reshape(layers, 2, b), input * ends[1] + ends[2]

    _, guesses = xp.scan(step, start.reshape(layers, 2, b), text[:-1])
    norms = xp.log(2 + xp.exp(guesses).sum(1))
    return -(text[1:] * (guesses - norms[:, None])).sum() / ((count - 1) * b)


def kmeans(xp: Any, n: int, k: int, d: int, points: Array, centres: Array, *_: Array) -> Array:
    distances = ((points.reshape(n, 1, d) - centres.reshape(1, k, d)) ** 2).sum(2)
    return xp.least(distances, 1).sum()


def lse(xp: Any, n: int, x: Array) -> Array:
    return xp.logsumexp(x, 0)


def llsq(xp: Any, m: int, n: int, x: Array) -> Array:
    t = -1 + 2 * xp.arange(n) / (n - 1)
    model = xp.zeros(n)
    model, _ = xp.scan(lambda sum, coefficient: (sum * t + coefficient, None), model, xp.flip(x))
    return ((xp.sign(t) - model) ** 2).sum() / 2


def runge_kutta(xp: Any, slope: Callable[[Array], Array], steps: int, h: float, y: Array) -> Array:
    def step(y: Array, _: Array) -> tuple[Array, None]:
        k1 = slope(y)
        k2 = slope(y + h / 2 * k1)
        k3 = slope(y + h / 2 * k2)
        k4 = slope(y + h * k3)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

    return xp.scan(step, y, xp.arange(steps))[0]


def ode(xp: Any, n: int, steps: int, x: Array) -> Array:
    one = xp.zeros(1) + 1
    return runge_kutta(xp, lambda y: x * xp.concatenate([one, y[:-1]], 0), steps, 2 / steps, xp.zeros(n))[n - 1]


def brusselator(xp: Any, side: int, steps: int, x: Array, start: Array) -> Array:
    inflow, rate, diffusion = x[0], x[1], x[2] * side * side

    def flow(a: Array) -> Array:
        return xp.roll(a, 1, 0) + xp.roll(a, -1, 0) + xp.roll(a, 1, 1) + xp.roll(a, -1, 1) - 4 * a

    def slope(y: Array) -> Array:
        u, v = y[0], y[1]
        square = u * u * v
        return xp.stack(
            [rate + square - (inflow + 1) * u + diffusion * flow(u), inflow * u - square + diffusion * flow(v)]
        )

    y = runge_kutta(xp, slope, steps, 1 / (side * side), start.reshape(2, side, side))
    return (y * y).sum() / (2 * side * side)


def fft(xp: Any, n: int, signal: Array, roots: Array, weights: Array) -> Array:
    pairs = signal.reshape(n, 2)
    return (weights * xp.power_spectrum(pairs[:, 0], pairs[:, 1])).sum()


def network(xp: Any, batch: int, sizes: Any, parameters: Array, data: Array, labels: Any) -> Array:
    values, at = data.reshape(batch, -1), 0
    for layer in range(4):
        rows, columns = int(sizes[layer]), int(sizes[layer + 1])
        matrix = parameters[at : at + rows * columns].reshape(rows, columns)
        at += rows * columns
        values = values @ matrix + parameters[at : at + columns]
        at += columns
        if layer < 3:
            values = xp.tanh(values)
    right = values[np.arange(batch), labels]
    return (xp.logsumexp(values, 1) - right).sum() / batch


def nbody(xp: Any, n: int, steps: int, mass: Array, start: Array) -> Array:
    h, softening = 0.01, 0.01

    def separations(at: Array) -> tuple[Array, Array]:
        d = at[:, None, :] - at[:, :, None]
        return d, (d * d).sum(0) + softening

    def kick(h: float, at: Array, speed: Array) -> Array:
        d, square = separations(at)
        return speed + h * (d * (mass / (square * xp.sqrt(square)))).sum(2)

    def step(state: tuple[Array, Array], _: Array) -> tuple[tuple[Array, Array], None]:
        at, speed = state
        at = at + h * speed
        return (at, kick(h, at, speed)), None

    at, speed = start[: 3 * n].reshape(3, n), start[3 * n :].reshape(3, n)
    (at, speed), _ = xp.scan(step, (at, kick(h / 2, at, speed)), xp.arange(steps - 1))
    at = at + h * speed
    speed = kick(h / 2, at, speed)
    first, second = np.triu_indices(n, 1)
    _, square = separations(at)
    return (mass * speed * speed).sum() / 2 + (mass[first] * mass[second] / xp.sqrt(square[first, second])).sum()


def kalman(xp: Any, steps: int, theta: Array, h: Array, z: Array) -> Array:
    transition, noise, measured = theta[:16].reshape(4, 4), theta[16:20] ** 2, theta[20:] ** 2
    h = h.reshape(2, 4)

    def step(state: tuple[Array, Array], z: Array) -> tuple[tuple[Array, Array], Array]:
        x, p = state
        x = transition @ x
        p = transition @ p @ transition.T + xp.diag(noise)
        ph = p @ h.T
        c = h @ ph + xp.diag(measured)
        error = z - h @ x
        determinant = c[0, 0] * c[1, 1] - c[0, 1] * c[1, 0]
        inverse = xp.stack([c[1, 1], -c[0, 1], -c[1, 0], c[0, 0]]).reshape(2, 2) / determinant
        gain = ph @ inverse
        return (x + gain @ error, p - gain @ (h @ p)), xp.log(determinant) + error @ (inverse @ error)

    start = (xp.zeros(4), xp.diag(xp.zeros(4) + 1))
    _, terms = xp.scan(step, start, z.reshape(steps, 2))
    return -(terms.sum() + steps * 2 * math.log(2 * math.pi)) / 2


def black_scholes(xp: Any, paths: int, steps: int, x: Array, grid: Array, normal: Array) -> Array:
    spot, rate, volatility, strike = x[0], x[1], x[2], x[3]
    h, prices = 1 / steps, 10
    rows = grid.reshape(5, prices)[np.arange(steps) * 5 // steps]

    def step(price: Array, given: tuple[Array, Array]) -> tuple[Array, Array]:
        row, normal = given
        at = xp.clip((price - 50) / 12, 0, prices - 1)
        left = xp.integers(xp.clip(at, 0, prices - 2))
        sigma = volatility * (row[left] + (at - left) * (row[left + 1] - row[left]))
        price = price * xp.exp((rate - sigma * sigma / 2) * h + sigma * math.sqrt(h) * normal)
        return price, price

    _, path = xp.scan(step, spot + xp.zeros(paths), (rows, normal.reshape(paths, steps).T))
    return xp.exp(-rate) * xp.positive(path.sum(0) / steps - strike).sum() / paths


def roe(xp: Any, n: int, states: Array, weights: Array) -> Array:
    heats, fix = 1.4, 0.1
    states, weights = states.reshape(n + 1, 5).T, weights.reshape(n, 5).T
    density, momentum = states[0], states[1:4]
    speed = momentum / density
    pressure = (heats - 1) * (states[4] - density * (speed * speed).sum(0) / 2)
    enthalpy = (states[4] + pressure) / density
    root = xp.sqrt(density)
    share = root[:-1] / (root[:-1] + root[1:])

    def mean(a: Array) -> Array:
        return a[..., 1:] + share * (a[..., :-1] - a[..., 1:])

    def jump(a: Array) -> Array:
        return a[..., 1:] - a[..., :-1]

    def both(a: Array) -> Array:
        return a[..., 1:] + a[..., :-1]

    def fixed(speed: Array, border: Array) -> Array:
        size = xp.abs(speed)
        return xp.where(size < border, (speed * speed / border + border) / 2, size)

    product, (u, v, w), total = root[:-1] * root[1:], mean(speed), mean(enthalpy)
    kinetic = (u * u + v * v + w * w) / 2
    square = (heats - 1) * (total - kinetic)
    c = xp.sqrt(square)
    jump_u, jump_v, jump_w = jump(speed)
    jump_u, jump_p = product * c * jump_u, jump(pressure)
    slow = fixed(u - c, fix * c) * (jump_p - jump_u) / (2 * square)
    fast = fixed(u + c, fix * c) * (jump_p + jump_u) / (2 * square)
    middle = fixed(u, fix * c)
    shear = middle * product
    middle = middle * (jump(density) - jump_p / square)
    all, sound, mass = slow + middle + fast, c * (fast - slow), density * speed[0]
    shares = (slow + fast) * total + u * sound + middle * kinetic + shear * (v * jump_v + w * jump_w)
    flux = (
        both(mass) - all,
        both(mass * speed[0] + pressure) - (all * u + sound),
        both(mass * speed[1]) - (all * v + shear * jump_v),
        both(mass * speed[2]) - (all * w + shear * jump_w),
        both(mass * enthalpy) - shares,
    )
    return (weights * xp.stack(flux)).sum() / 2


def heat(xp: Any, n: int, steps: int, conductivity: Array, start: Array, target: Array) -> Array:
    k, t = conductivity.reshape(n, n), start.reshape(n, n)
    faces = (k[1:] + k[:-1])[:, 1:-1], (k[:, 1:] + k[:, :-1])[1:-1]

    def step(t: Array, _: Array) -> tuple[Array, None]:
        down = faces[0] * (t[1:, 1:-1] - t[:-1, 1:-1])
        right = faces[1] * (t[1:-1, 1:] - t[1:-1, :-1])
        change = 0.1 / 2 * (down[1:] - down[:-1] + right[:, 1:] - right[:, :-1])
        return t + xp.framed(change), None

    t, _ = xp.scan(step, t, xp.arange(steps))
    return ((t.reshape(-1) - target) ** 2).sum() / 2


_ALL = (gmm, lstm, kmeans, lse, llsq, ode, brusselator, fft, network, nbody, kalman, black_scholes, roe, heat)
PROBLEMS: dict[str, Callable[..., Array]] = {problem.__name__: problem for problem in _ALL}
# of these, also the diagonal of the Hessian: the gradient's derivative along the vector of ones
WITH_HESSIAN = ("kmeans",)
