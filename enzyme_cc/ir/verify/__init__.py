"""Checks of the representation after passes that rewrite it."""

from .well_formed import InvalidIR, find_problems, verify_function, verify_module, verify_names

__all__ = ["InvalidIR", "find_problems", "verify_function", "verify_module", "verify_names"]
