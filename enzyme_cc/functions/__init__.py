"""Differentiable functions of Python: a C, C++, Fortran or Rust function, compiled, differentiated and loaded.

A program that uses a cached function imports these modules at its start. So values are named tuples: the import of
`dataclasses`, and of what it imports, takes as long as all of these modules.
"""
