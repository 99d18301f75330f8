/* The C library as far as shipped bitcode needs it: the same declarations for all targets. See ../../CMakeLists.txt. */
#pragma once
#include <stddef.h>

enum { PROT_NONE = 0, PROT_READ = 1, PROT_WRITE = 2 };
enum { MAP_PRIVATE = 2, MAP_ANONYMOUS = 0x20, MAP_NORESERVE = 0x4000 };
enum { MADV_HUGEPAGE = 14, MADV_NOHUGEPAGE = 15, MADV_POPULATE_WRITE = 23 };
#define MAP_FAILED ((void *)-1)
__attribute__((nothrow)) void *mmap(void *, size_t, int, int, int, long);
__attribute__((nothrow)) int munmap(void *, size_t), mprotect(void *, size_t, int), madvise(void *, size_t, int);
__attribute__((nothrow)) int mincore(void *, size_t, unsigned char *);
