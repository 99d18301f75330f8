"""Compiled functions as functions of PyTorch tensors, with derivatives up to the second."""
