"""Teaches a network to hit targets with a ball. The flight of the ball is an operator in C++, behind the network.

python throw.py
"""

from pathlib import Path

import mindspore
import numpy as np
from mindspore import nn, ops

import enzyme_cc
import enzyme_cc.mindspore

STEPS = 500
fly = enzyme_cc.mindspore.wrap(
    enzyme_cc.function(Path(__file__).parent / "flight.cpp", "fly", "aims[n,2], n, out landed[n]")
)


class Thrower(nn.Cell):
    """Takes the distance of each target, in units of 100 m; returns where the ball lands."""

    def __init__(self):
        super().__init__()
        self.network = nn.SequentialCell(nn.Dense(1, 16), nn.Tanh(), nn.Dense(16, 2))
        self.fly = fly

    def construct(self, targets):
        found = ops.sigmoid(self.network(targets.reshape((-1, 1))))
        aims = ops.stack((0.2 + found[:, 0], 5 + 60 * found[:, 1]), axis=1)  # radians; metres per second
        return self.fly(aims) / 100


def main():
    mindspore.set_seed(1)
    random = np.random.default_rng(1)
    thrower = Thrower()
    rates = nn.cosine_decay_lr(0.0, 0.05, STEPS, STEPS, 1)
    optimiser = nn.Adam(thrower.trainable_params(), rates)

    def loss(targets):
        return ops.mse_loss(thrower(targets), targets)

    step = mindspore.jit(mindspore.value_and_grad(loss, None, optimiser.parameters))
    for i in range(STEPS):
        value, gradients = step(mindspore.Tensor(random.uniform(0.1, 1.0, 64), mindspore.float32))
        optimiser(gradients)
        if i % 100 == 99:
            print(f"step {i + 1}   loss {float(value.asnumpy()):.2e}")
    targets = mindspore.Tensor([0.2, 0.4, 0.6, 0.8], mindspore.float32)
    print("targets ", *(f"{x:6.1f}" for x in 100 * targets.asnumpy()))
    print("landed  ", *(f"{x:6.1f}" for x in 100 * thrower(targets).asnumpy()))


if __name__ == "__main__":
    main()
