"""A large module is compiled in parts: which definitions make a part, its text, and its object."""
