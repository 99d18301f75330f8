"""LLVM IR as Python objects: types with layout, values with use lists, text parser and printer, control-flow analyses.

A general part: it knows nothing of differentiation.
"""
