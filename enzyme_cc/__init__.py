"""enzyme-cc: automatic differentiation of existing compiled programs."""

__version__ = "0.1.0"
