"""Fits the rates of chemical reactions to measured concentrations. The integrator is compiled Fortran.

python fit.py
"""

from pathlib import Path

import jax
import jax.numpy as jnp
import optax

import enzyme_cc
import enzyme_cc.jax

jax.config.update("jax_enable_x64", True)

STEPS, DT = 100, 0.05
LIBRARY = Path(__file__).parent / "libreactor.a"
integrate = enzyme_cc.jax.wrap(enzyme_cc.load(LIBRARY, "reactor::integrate", "k[3], y0[3], const dt, n, out y[3,n]"))


@jax.jit
def loss(log_k, start, measured):
    """Returns the mean squared error. The rates are positive, so their logarithms are fitted."""
    found = jax.vmap(lambda y0: integrate(jnp.exp(log_k), y0, DT, STEPS))(start)
    return jnp.mean((found - measured) ** 2)


def main():
    true = jnp.array([1.0, 0.3, 0.6])
    start = jnp.array([[1.0, 0, 0], [0.5, 1, 0]])  # two experiments
    exact = jax.vmap(lambda y0: integrate(true, y0, DT, STEPS))(start)
    measured = exact + 0.01 * jax.random.normal(jax.random.key(0), exact.shape)

    optimiser = optax.adam(0.05)
    log_k = jnp.zeros(3)
    state = optimiser.init(log_k)

    @jax.jit
    def update(log_k, state):
        value, gradient = jax.value_and_grad(loss)(log_k, start, measured)
        updates, state = optimiser.update(gradient, state)
        return optax.apply_updates(log_k, updates), state, value

    for i in range(201):
        log_k, state, value = update(log_k, state)
        if i % 50 == 0:
            print(f"iteration {i:3d}   loss {value:.3e}   rates", *(f"{k:.4f}" for k in jnp.exp(log_k)))

    # the Hessian tells how well the measurements determine the rates
    deviation = jnp.sqrt(jnp.diag(jnp.linalg.inv(jax.hessian(loss)(log_k, start, measured) * exact.size / 2))) * 0.01
    for k, true_k, s in zip(jnp.exp(log_k), true, jnp.exp(log_k) * deviation, strict=True):
        print(f"rate {k:.4f} +- {s:.4f}   true {true_k:.4f}")


if __name__ == "__main__":
    main()
