/* The C library as far as shipped bitcode needs it: the same declarations for all targets. See ../CMakeLists.txt. */
#pragma once
#include <stddef.h>

__attribute__((nothrow)) size_t malloc_usable_size(void *);
