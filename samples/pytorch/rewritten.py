"""The same simulation, rewritten in PyTorch."""

import torch

SOFTENING = 1e-2


def simulate(position, velocity, mass, *, steps, dt):
    """Returns the positions after each step, steps × n × 3."""
    path = []
    for _ in range(steps):
        apart = position[None, :, :] - position[:, None, :]
        squared = (apart * apart).sum(-1) + SOFTENING
        acceleration = ((mass / (squared * squared.sqrt()))[:, :, None] * apart).sum(1)
        velocity = velocity + dt * acceleration
        position = position + dt * velocity
        path.append(position)
    return torch.stack(path)
