"""Differentiable functions in the frameworks that Python programs are written with."""
