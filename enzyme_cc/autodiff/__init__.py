"""Differentiation of a merged, optimised module: every `__enzyme_…` request becomes derivative code."""

from __future__ import annotations

from .differentiate import differentiate
from .options import Options

__all__ = ["Options", "differentiate"]
