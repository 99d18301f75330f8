"""Caches of built functions and of links. Imports no other part."""
