"""Normalisation of code that works on the bits of numbers: number bits, rounding, exchanges by comparison."""
