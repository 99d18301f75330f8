"""Bytes of a number that a function of the C library moves, and the ways in which they come back."""

from __future__ import annotations

from .neighbour import Kind, Neighbour, of_number, pairs

_HEAD = """#define _GNU_SOURCE
#include "head.h"
#include <fcntl.h>
#include <search.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>
static int never_equal(const void *a, const void *b) { return 1; }
static int forward_order(const void *a, const void *b) { return a < b ? -1 : 1; }
"""
#: the bytes of y go into the file f; the number has no byte that is zero
_WRITTEN = {
    "fwrite": "fwrite(&y, SIZE, 1, f);",
    "fwrite of bytes": "fwrite(&y, 1, SIZE, f);",
    "fwrite in halves": "fwrite(&y, 1, SIZE / 2, f); fwrite(b + SIZE / 2, 1, SIZE / 2, f);",
    "fputc": "for (int i = 0; i < SIZE; i++) fputc(b[i], f);",
    "putc": "for (int i = 0; i < SIZE; i++) putc(b[i], f);",
    "putw": "for (int i = 0; i < SIZE / 4; i++) putw(((int *)&y)[i], f);",
    "fputs": "T o[2] = {y, 0}; fputs((char *)o, f);",
    "fprintf %s": 'T o[2] = {y, 0}; fprintf(f, "%s", (char *)o);',
    "fprintf %c": 'for (int i = 0; i < SIZE; i++) fprintf(f, "%c", b[i]);',
    "write": "if (write(fileno(f), &y, SIZE) < 0) return 0;",
    "pwrite": "if (pwrite(fileno(f), &y, SIZE, 0) < 0) return 0;",
    "writev": "struct iovec v = {&y, SIZE}; if (writev(fileno(f), &v, 1) < 0) return 0;",
    "hex": 'fprintf(f, "%a ", (double)y);',
}
#: they come back in z
_READ = {
    "fread": "if (fread(&z, SIZE, 1, f) != 1) return 0;",
    "fread of bytes": "if (fread(&z, 1, SIZE, f) != SIZE) return 0;",
    "fgetc": "for (int i = 0; i < SIZE; i++) c[i] = fgetc(f);",
    "getc": "for (int i = 0; i < SIZE; i++) c[i] = getc(f);",
    "getw": "for (int i = 0; i < SIZE / 4; i++) ((int *)&z)[i] = getw(f);",
    "fgets": "char s[SIZE + 1]; if (!fgets(s, SIZE + 1, f)) return 0; memcpy(&z, s, SIZE);",
    "getdelim": "char *s = 0; size_t n = 0; if (getdelim(&s, &n, 10, f) < 0) return 0; memcpy(&z, s, SIZE); free(s);",
    "getline": "char *s = 0; size_t n = 0; if (getline(&s, &n, f) < 0) return 0; memcpy(&z, s, SIZE); free(s);",
    "fscanf %c": 'for (int i = 0; i < SIZE; i++) if (fscanf(f, "%c", &c[i]) != 1) return 0;',
    "fscanf %8c": 'if (fscanf(f, SIZE == 8 ? "%8c" : "%4c", (char *)&z) != 1) return 0;',
    "read": "if (lseek(fileno(f), 0, 0) || read(fileno(f), &z, SIZE) < 0) return 0;",
    "pread": "if (pread(fileno(f), &z, SIZE, 0) < 0) return 0;",
    "readv": "struct iovec w = {&z, SIZE}; lseek(fileno(f), 0, 0); if (readv(fileno(f), &w, 1) < 0) return 0;",
    "mmap": "T *m = mmap(0, SIZE, PROT_READ, MAP_SHARED, fileno(f), 0); z = *m; munmap(m, SIZE);",
}
_FILE = (
    "T y = x * x + (T)0.1234567, z = 0; unsigned char *b = (void *)&y, *c = (void *)&z; FILE *f = tmpfile();"
    " { WRITTEN } fflush(f); rewind(f); { READ } fclose(f); return z;"
)
#: memory to memory: from p of 3 numbers (y, x, 1) to q of 3 numbers
_MOVED = {
    "memcpy": "memcpy(q, p, 3 * SIZE);",
    "mempcpy": "mempcpy(mempcpy(q, p, SIZE), (char *)p + SIZE, 2 * SIZE);",
    "memmove": "memmove(q, p, 3 * SIZE); memmove((char *)q + 1, q, 2 * SIZE); memmove(q, (char *)q + 1, 2 * SIZE);",
    "bcopy": "bcopy(p, q, 3 * SIZE);",
    "memccpy": "memccpy(q, p, 300, 3 * SIZE);",
    "wmemcpy": "wmemcpy((wchar_t *)q, (wchar_t *)p, 3 * SIZE / 4);",
    "wmemmove": "wmemmove((wchar_t *)q, (wchar_t *)p, 3 * SIZE / 4);",
    "wmempcpy": "wmempcpy((wchar_t *)q, (wchar_t *)p, 3 * SIZE / 4);",
    "swab": "char u[3 * SIZE]; swab(p, u, 3 * SIZE); swab(u, q, 3 * SIZE);",
    "strncpy": "strncpy((char *)q, (char *)p, SIZE); memcpy((char *)q + SIZE, (char *)p + SIZE, 2 * SIZE);",
    "stpncpy": "stpncpy((char *)q, (char *)p, SIZE); memcpy((char *)q + SIZE, (char *)p + SIZE, 2 * SIZE);",
    "strxfrm": "char u[SIZE + 1] = {0}; memcpy(u, p, SIZE); memcpy(q, p, 3 * SIZE); strxfrm((char *)q, u, SIZE + 1);",
    "snprintf": 'memcpy(q, p, 3 * SIZE); snprintf((char *)q, SIZE + 1, "%s", (char *)p);',
    "strdup": "char u[SIZE + 1] = {0}; memcpy(u, p, SIZE); char *s = strdup(u); memcpy(q, p, 3 * SIZE);"
    " memcpy(q, s, SIZE); free(s);",
    "wcsncpy": "memcpy(q, p, 3 * SIZE); wcsncpy((wchar_t *)q, (wchar_t *)p, SIZE / 4);",
    "memfrob": "memcpy(q, p, 3 * SIZE); memfrob(q, SIZE); memfrob(q, SIZE);",
    "qsort": "memcpy(q, p, 3 * SIZE); qsort(q, 3, SIZE, forward_order);",
    "lsearch": "memcpy(q, p, SIZE); size_t n = 1; lsearch((char *)p + SIZE, q, &n, SIZE, never_equal);"
    " lsearch((char *)p + 2 * SIZE, q, &n, SIZE, never_equal);",
    "chars": "for (int i = 0; i < 3 * SIZE; i++) ((char *)q)[i] = ((char *)p)[i];",
    "shorts": "for (int i = 0; i < 3 * SIZE / 2; i++) ((anyshort *)q)[i] = ((anyshort *)p)[i];",
    "ints": "for (int i = 0; i < 3 * SIZE / 4; i++) ((anyint *)q)[i] = ((anyint *)p)[i];",
    "backward": "for (int i = 3 * SIZE; i--;) ((char *)q)[i] = ((char *)p)[i];",
    "bitwise": "memset(q, 0, 3 * SIZE); for (int i = 0; i < 3 * SIZE * 8; i++)"
    " if (((unsigned char *)p)[i / 8] >> i % 8 & 1) ((unsigned char *)q)[i / 8] |= 1 << i % 8;",
    "nibbles": "for (int i = 0; i < 3 * SIZE; i++)"
    " ((unsigned char *)q)[i] = (((unsigned char *)p)[i] & 15) | (((unsigned char *)p)[i] & 240);",
    "exchanged": "for (int i = 0; i < 3 * SIZE; i++) { char *s = (char *)p + i, *t = (char *)q + i; *s ^= *t; *t ^= *s; *s ^= *t; }",
    "environ": 'char u[SIZE + 1] = {0}; memcpy(u, p, SIZE); setenv("CASE", u, 1); memcpy(q, p, 3 * SIZE);'
    ' memcpy(q, getenv("CASE"), SIZE);',
}
_TYPES = "typedef uint16_t __attribute__((may_alias)) anyshort;\ntypedef uint32_t __attribute__((may_alias)) anyint;\n"
#: where p and q are
_PLACES = {
    "numbers": "T a[3] = {y, x, 1}, b[4] = {0}; void *p = a, *q = b; MOVED return b[0] * b[1] * b[2];",
    "bytes": "char a[3 * SIZE], b[4 * SIZE] = {0}; T t[3] = {y, x, 1}; void *p = a, *q = b; memcpy(p, t, sizeof t); MOVED"
    " memcpy(t, q, sizeof t); return t[0] * t[1] * t[2];",
    "heap": "T *p = malloc(3 * SIZE), *q = calloc(4, SIZE); p[0] = y, p[1] = x, p[2] = 1; MOVED"
    " T r = q[0] * q[1] * q[2]; free(p); free(q); return r;",
    "struct": "struct s { char c[3 * SIZE]; int n; } a, b = {{0}}; T t[3] = {y, x, 1}; void *p = a.c, *q = b.c; memcpy(p, t,"
    " sizeof t); b.n = 7; MOVED a = b; memcpy(t, a.c, sizeof t); return t[0] * t[1] * t[2];",
}


def _of_files(number: str) -> list[Neighbour]:
    return [
        of_number(name, _FILE.replace("WRITTEN", w).replace("READ", r), number=number)
        for name, w, r in pairs(_WRITTEN, _READ)
    ]


def _in_memory(number: str) -> list[Neighbour]:
    start = "T y = x * x + (T)0.1234567; "
    return [of_number(n, start + p.replace("MOVED", m), number=number) for n, m, p in pairs(_MOVED, _PLACES)]


FILES = Kind("c", _HEAD, (*_of_files("double"), *_of_files("float")))
MEMORY = Kind("c", _HEAD + _TYPES, (*_in_memory("double"), *_in_memory("float")))
