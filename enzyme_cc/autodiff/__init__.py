"""Differentiation of a merged, optimised module: every `__enzyme_…` request becomes derivative code."""

from __future__ import annotations

from .call_profile.plain_answers import answered_plainly
from .core.options import Options
from .differentiate import DerivedModule, differentiate

__all__ = ["DerivedModule", "Options", "answered_plainly", "differentiate"]
