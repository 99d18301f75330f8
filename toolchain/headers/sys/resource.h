/* The C library as far as shipped bitcode needs it: the same declarations for all targets. See ../../CMakeLists.txt. */
#pragma once

enum { RLIMIT_STACK = 3 };
#define RLIM_INFINITY (~0ul)
struct rlimit {
    unsigned long rlim_cur, rlim_max;
};
__attribute__((nothrow)) int getrlimit(int, struct rlimit *);
