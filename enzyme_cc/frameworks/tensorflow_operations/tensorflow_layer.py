"""A compiled function as a layer of Keras: some of its inputs are the layer's weights."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from .tensorflow_functions import GraphFunction


class FunctionKerasLayer(keras.layers.Layer):  # type: ignore[misc]  # Keras' types are not read
    """A layer whose weights are the inputs that it is given by name; it is called with the others, in C's order.

    Inputs without derivative are weights that are not trained. Raises `TypeError` for names that the function does not
    have.
    """

    def __init__(self, function: GraphFunction, **held: Any) -> None:
        types = [p.element.dtype for p in function.interface.inputs if p.name not in held]
        super().__init__(name=function.__name__, dtype=types[0] if types else None, autocast=False)
        self.supports_jit = False  # XLA does not call operations of other libraries
        self.compiled_function = function
        names = [p.name for p in function.interface.call_parameters]
        unknown = [name for name in held if name not in names]
        if unknown:
            raise TypeError(f"{function.__name__} takes {', '.join(names)}; got {', '.join(unknown)}")
        active = {p.name for p in function.interface.active_inputs}
        if len(held) == len(names):
            raise TypeError(f"{function.__name__}: no input is left that the layer could be called with")
        self._held = {name: self._weight(name, value, name in active) for name, value in held.items()}
        self._passed = [name for name in names if name not in held]

    def _weight(self, name: str, value: Any, is_trained: bool) -> Any:
        value = tf.convert_to_tensor(value)
        return self.add_weight(
            shape=tuple(value.shape),
            initializer=lambda shape, dtype: value,
            dtype=value.dtype.name,
            trainable=is_trained,
            name=name,
        )

    def call(self, first: Any, *others: Any) -> Any:
        """Returns what the function returns."""
        given = dict(zip(self._passed, (first, *others), strict=True))
        held = {name: tf.convert_to_tensor(weight) for name, weight in self._held.items()}
        return self.compiled_function(**given, **held)
