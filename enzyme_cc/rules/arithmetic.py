"""Rules of floating-point instructions."""

from __future__ import annotations

from .rule import rows

#: partials of x mod y, for any rounding of the quotient: (x - r)/y is the rounded quotient, up to rounding errors
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
