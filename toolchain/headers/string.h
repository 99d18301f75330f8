/* The C library as far as shipped bitcode needs it: the same declarations for all targets. See ../CMakeLists.txt. */
#pragma once
#include <stddef.h>

__attribute__((nothrow)) void *memcpy(void *restrict, const void *restrict, size_t);
__attribute__((nothrow)) void *memmove(void *, const void *, size_t);
__attribute__((nothrow)) void *memset(void *, int, size_t);
__attribute__((nothrow, pure)) int memcmp(const void *, const void *, size_t);
__attribute__((nothrow, pure)) size_t strspn(const char *, const char *);
__attribute__((nothrow, pure)) char *strchr(const char *, int);
__attribute__((nothrow, pure)) char *strrchr(const char *, int);
__attribute__((nothrow, pure)) int strcmp(const char *, const char *);
__attribute__((nothrow, pure)) char *strstr(const char *, const char *);
__attribute__((nothrow, pure)) void *memchr(const void *, int, size_t);
__attribute__((nothrow, pure)) size_t strlen(const char *);
__attribute__((nothrow, pure)) size_t strnlen(const char *, size_t);
