"""Rewriting of primal functions before they are analysed: fewer forms of instruction remain."""
