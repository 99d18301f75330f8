"""The C and C++ libraries of PyPI's package ziglang, made into folders that clang understands."""
