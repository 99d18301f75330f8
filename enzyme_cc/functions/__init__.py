"""Differentiable functions of Python: a C, C++, Fortran or Rust function, compiled, differentiated and loaded."""
