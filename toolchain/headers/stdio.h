/* The C library as far as shipped bitcode needs it: the same declarations for all targets. See ../CMakeLists.txt. */
#pragma once
#include <stddef.h>

typedef struct file FILE;
extern FILE *stderr;
enum { SEEK_SET = 0, SEEK_CUR = 1, SEEK_END = 2 };
FILE *fopen(const char *restrict, const char *restrict);
FILE *open_memstream(char **, size_t *);
int fclose(FILE *);
__attribute__((nothrow)) int ferror(FILE *);
void flockfile(FILE *);
int fseek(FILE *, long, int);
long ftello(FILE *);
__attribute__((nothrow)) int fileno(FILE *);
size_t fwrite(const void *restrict, size_t, size_t, FILE *restrict);
size_t fread(void *restrict, size_t, size_t, FILE *restrict);
int fprintf(FILE *restrict, const char *restrict, ...);
int fgetc(FILE *);
char *fgets(char *restrict, int, FILE *restrict);
long getdelim(char **restrict, size_t *restrict, int, FILE *restrict);
int fputs(const char *restrict, FILE *restrict);
__attribute__((nothrow)) int vsnprintf(char *restrict, size_t, const char *restrict, __builtin_va_list);
__attribute__((nothrow)) int snprintf(char *restrict, size_t, const char *restrict, ...);
int fflush(FILE *);
