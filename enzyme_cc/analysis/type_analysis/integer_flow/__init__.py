"""Where integers go that may be bits of numbers: through memory, texts and files, in all analysed functions."""
