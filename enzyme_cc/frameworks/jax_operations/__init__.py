"""Compiled functions as JAX primitives, which XLA calls without Python."""
