"""enzyme-cc: automatic differentiation of existing compiled programs."""
