"""Compiled functions as operations of TensorFlow, with derivatives up to the second."""
