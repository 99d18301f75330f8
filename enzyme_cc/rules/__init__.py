"""Derivative rules: what is known of instructions, math functions and library functions, as tables."""
