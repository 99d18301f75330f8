"""The participants as one LLVM module: merged, optimised, differentiated, compiled to one native object."""
