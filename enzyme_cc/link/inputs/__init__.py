"""The inputs of a link: ELF objects, archives, bitcode, libraries found by name; units with identity."""
