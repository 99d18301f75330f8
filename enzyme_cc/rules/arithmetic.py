"""Floating-point instructions."""

from __future__ import annotations

from .rule import rows

#: of x mod y with any rounding of the quotient, which (x - r)/y gives back: it is an integer but for rounding errors
REMAINDER = ("1", "-rint((x - r)/y)")

INSTRUCTIONS = rows(
    {
        "fadd": ("1", "1"),
        "fsub": ("1", "-1"),
        "fmul": ("y", "x"),
        "fdiv": ("1/y", "-r/y"),
        "frem": REMAINDER,
        "fneg": ("-1",),
    }
)
