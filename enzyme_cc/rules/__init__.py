"""Tables: derivative rules of instructions and math functions, and knowledge of library functions."""
