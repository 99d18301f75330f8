/* The C library as far as shipped bitcode needs it: the same declarations for all targets. See ../CMakeLists.txt. */
#pragma once
#include <stddef.h>

__attribute__((nothrow, malloc, alloc_size(1))) void *malloc(size_t);
__attribute__((nothrow, malloc, alloc_size(1, 2))) void *calloc(size_t, size_t);
void *aligned_alloc(size_t, size_t);
__attribute__((nothrow, alloc_size(2))) void *realloc(void *, size_t);
__attribute__((nothrow)) void free(void *);
__attribute__((nothrow)) double strtod(const char *restrict, char **restrict);
__attribute__((nothrow)) float strtof(const char *restrict, char **restrict);
__attribute__((nothrow, noreturn)) void abort(void);
__attribute__((nothrow)) int atexit(void (*)(void));
__attribute__((nothrow)) void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
__attribute__((nothrow)) char *getenv(const char *);
