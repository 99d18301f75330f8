"""The compiled function itself, as ctypes calls it."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from ..compiled import Compiled
from ..entry_points import PRIMAL
from ..prototype import CType


def c_function(built: Compiled) -> Any:
    """Returns a function of ctypes with the types of the prototype. Raises `TypeError` for types that ctypes lacks."""
    prototype = built.interface.prototype
    function = getattr(ctypes.CDLL(built.path(PRIMAL)), prototype.symbol)
    function.argtypes = [_type(type_) for _, type_ in prototype.parameters]
    function.restype = None if prototype.result.is_void else _type(prototype.result)
    return function


def _type(type_: CType) -> Any:
    try:
        if type_.element is not None and not type_.descriptor_rank:
            number = np.ctypeslib.as_ctypes_type(type_.element.numpy_dtype())
            return ctypes.POINTER(number) if type_.is_pointer else number
    except NotImplementedError:
        pass
    raise TypeError(f"ctypes has no type for {type_.text}")
