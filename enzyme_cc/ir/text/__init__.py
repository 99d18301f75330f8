"""The text form of LLVM IR: tokens, types, constants, instructions and function bodies, parsed and printed."""
