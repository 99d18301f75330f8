"""Differentiable functions of Python: a C, C++, Fortran or Rust function, compiled, differentiated and loaded.

A program that uses a cached function imports these modules at its start. So values are named tuples: the import of
`msgspec` or `dataclasses`, and of what they import, takes as long as all of these modules.
"""
