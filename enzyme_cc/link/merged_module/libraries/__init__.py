"""What takes the place of library functions without bitcode: stand-ins, and derivatives of binaries."""
