"""What declarations say of memory: TBAA, LLVM types, debug information."""
