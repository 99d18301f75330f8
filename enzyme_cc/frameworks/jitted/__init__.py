"""LoadedDerivatives of functions that Numba compiles: its LLVM IR, entry points in C, and calls from compiled code."""
