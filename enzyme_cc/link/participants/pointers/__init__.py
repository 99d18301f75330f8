"""Pointers to functions at link time: which functions a call through a pointer may reach, by the text of the units."""
