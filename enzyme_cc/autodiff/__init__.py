"""Differentiation of a merged, optimised module: every `__enzyme_…` request becomes derivative code."""

from __future__ import annotations

from .core.options import Options
from .differentiate import differentiate

__all__ = ["Options", "differentiate"]
