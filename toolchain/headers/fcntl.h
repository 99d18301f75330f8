/* The C library as far as shipped bitcode needs it: the same declarations for all targets. See ../CMakeLists.txt. */
#pragma once
enum { O_WRONLY = 1, F_GETFL = 3, O_APPEND = 02000, AT_EMPTY_PATH = 0x1000 };
int fcntl(int, int, ...);
int open(const char *, int, ...);
