"""Compiled functions in PyTorch in two lines.

    from torch_enzyme import enzyme
    out = enzyme("test.c", "f").apply(inp)
    out.backward()

`enzyme` takes the parameters of `enzyme_cc.function`.
"""

from enzyme_cc.torch import enzyme

__all__ = ["enzyme"]
