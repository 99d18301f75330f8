/* The C library as far as shipped bitcode needs it: the same declarations for all targets. See ../CMakeLists.txt. */
#pragma once
#include <stddef.h>
#include <stdint.h>

int64_t read(int, void *, size_t);
int64_t write(int, const void *, size_t);
int64_t pread(int, void *, size_t, int64_t);
int64_t pwrite(int, const void *, size_t, int64_t);
__attribute__((nothrow)) int64_t lseek(int, int64_t, int);
int pipe(int[2]);
int fork(void);
__attribute__((nothrow)) int getpid(void);
int dup2(int, int);
int close(int);
unsigned alarm(unsigned);
__attribute__((noreturn)) void _exit(int);
