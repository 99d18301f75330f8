"""Finds the parameters of a river's catchment from rain and flow. The model is compiled C, in a layer of Keras.

python calibrate.py
"""

from pathlib import Path

import keras
import numpy as np

import enzyme_cc
import enzyme_cc.tensorflow

YEARS, DAYS = 64, 90
river = enzyme_cc.function(
    Path(__file__).parent / "river.c", "river", "const rain[n,days], n, days, parameters[3], out flow[n,days]"
)


def parameters(depth, drained, seeped):
    """Returns the numbers that the model takes, which may be any."""
    return np.log([depth, drained / (1 - drained), seeped / (1 - seeped)])


def main():
    random = np.random.default_rng(0)
    rain = random.gamma(0.3, 20.0, (YEARS, DAYS))  # many dry days, few wet ones
    true = parameters(depth=35.0, drained=0.15, seeped=0.08)
    flow = river(rain, true) * random.normal(1.0, 0.05, (YEARS, DAYS))  # with errors of measurement

    layer = enzyme_cc.tensorflow.layer(river, parameters=parameters(depth=20.0, drained=0.5, seeped=0.5))
    model = keras.Sequential([keras.Input((DAYS,), dtype="float64"), layer])
    model.compile(keras.optimizers.Adam(0.03), "mse")
    losses = model.fit(rain, flow, batch_size=16, epochs=80, verbose=0).history["loss"]
    print(f"loss {losses[0]:.3f} -> {losses[-1]:.3f}")
    print("parameters found", *(f"{p:.3f}" for p in layer.get_weights()[0]), "  true", *(f"{p:.3f}" for p in true))


if __name__ == "__main__":
    main()
