"""Learns masses and initial velocities of bodies from their observed paths. The simulation is compiled C++.

python train.py [OPTIMISER_STEPS]
"""

import sys
import time
from pathlib import Path

import rewritten
import torch

import enzyme_cc
import enzyme_cc.torch

STEPS, DT = 200, 0.01
LIBRARY = Path(__file__).parent / "build" / "liborbits.a"
SIGNATURE = "position[n,3], velocity[n,3], mass[n], n, steps, const dt, out path[steps,n,3]"

compiled = enzyme_cc.torch.wrap(enzyme_cc.load(LIBRARY, "simulate", SIGNATURE))


class Orbits(torch.nn.Module):
    """Bodies of known positions at the start. Velocities (n × 3) and logarithms of masses (n) are parameters."""

    def __init__(self, position, velocity, mass):
        super().__init__()
        self.register_buffer("position", position)
        self.velocity = torch.nn.Parameter(velocity.clone())
        self.log_mass = torch.nn.Parameter(mass.log())

    def forward(self):
        """Returns the paths, STEPS × n × 3."""
        return compiled(self.position, self.velocity, self.log_mass.exp(), steps=STEPS, dt=DT)


def observed():
    """Returns the true positions, velocities and masses, and paths with errors of measurement."""
    position = torch.tensor([[0, 0, 0], [0.6, 0, 0.1], [-1, 0.2, 0], [0, 1.5, -0.2]], dtype=torch.float64)
    velocity = torch.tensor([[0, 0, 0], [0, 1.2, 0], [0.1, -0.9, 0.1], [-0.8, 0, 0]], dtype=torch.float64)
    mass = torch.tensor([1.0, 0.05, 0.1, 0.02], dtype=torch.float64)
    path = compiled(position, velocity, mass, steps=STEPS, dt=DT)
    return position, velocity, mass, path + 0.001 * torch.randn_like(path)


def train(model, path, steps):
    """Fits the parameters to the paths. Prints the loss on the way."""
    optimiser = torch.optim.LBFGS(model.parameters(), max_iter=5, line_search_fn="strong_wolfe")

    def closure():
        optimiser.zero_grad()
        loss = ((model() - path) ** 2).mean()
        loss.backward()
        return loss

    for i in range(steps):
        loss = optimiser.step(closure)
        print(f"step {i:2d}   loss {loss.item():.3e}")


def seconds(simulate, bodies=64, repetitions=300):
    """Returns the time of one step of the simulation and of its gradient."""
    position, velocity = torch.randn(2, bodies, 3, dtype=torch.float64)
    mass = torch.rand(bodies, dtype=torch.float64).requires_grad_()
    position.requires_grad_()
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        simulate(position, velocity, mass, steps=1, dt=DT).square().sum().backward()
        times.append(time.perf_counter() - start)
    return min(times)


def draw(path, before, after, file):
    """Draws the observed paths, and those of the model before and after training."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4.5), layout="constrained")
    for axes, found, title in zip(figure.subplots(1, 2), (before, after), ("before training", "after"), strict=True):
        for i in range(path.shape[1]):
            axes.plot(*path[::3, i, :2].T, ".", color=f"C{i}", alpha=0.4)
            axes.plot(*found[:, i, :2].T, color=f"C{i}")
        axes.set(title=title, aspect="equal", xlim=(-1.6, 1.2), ylim=(-1.4, 1.8))
    figure.savefig(file, dpi=100)


def main():
    torch.manual_seed(1)
    position, velocity, mass, path = observed()
    model = Orbits(position, velocity + 0.2 * torch.randn_like(velocity), torch.full_like(mass, 0.3))
    before = model().detach()
    train(model, path, int(sys.argv[1]) if len(sys.argv) > 1 else 25)
    print("masses found:", *(f"{m:.3f}" for m in model.log_mass.exp().tolist()), "  true:", *mass.tolist())
    draw(path, before, model().detach(), "orbits.png")
    ours, theirs = seconds(compiled), seconds(rewritten.simulate)
    print(
        f"a step of 64 bodies and its gradient: {1e6 * ours:.0f} us compiled, {1e6 * theirs:.0f} us in PyTorch:"
        f" {theirs / ours:.1f} times"
    )


if __name__ == "__main__":
    main()
