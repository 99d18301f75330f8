"""LLVM's optimisation of the merged module before differentiation, and the facts that it is given."""
