"""A program of --enzyme-profile-calls: its requests run their functions, and its calls through pointers are noted."""
