"""Compiled functions in TensorFlow in two lines.

    from tf_enzyme import enzyme
    out = enzyme(inp, filename="test.c", function="f")

`enzyme` takes the parameters of `enzyme_cc.function` behind these.
"""

from enzyme_cc.tensorflow import enzyme

__all__ = ["enzyme"]
