"""Reverse mode: the primal sweep, the reverse sweep, and the adjoint of each instruction."""
