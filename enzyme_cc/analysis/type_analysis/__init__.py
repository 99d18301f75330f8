"""Type analysis: what each byte of memory holds (number, pointer, integer), across functions."""
