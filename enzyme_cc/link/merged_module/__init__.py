"""The participants as one module, from their bitcode to one native object."""
