"""Records of several types without padding, and ways to copy them."""

from __future__ import annotations

from .neighbour import Kind, Neighbour, of_number

_HEAD = """#include "head.h"
#pragma clang diagnostic ignored "-Waddress-of-packed-member"
typedef uint32_t __attribute__((may_alias)) anyint;
typedef uint64_t __attribute__((may_alias)) anylong;
"""
#: members, of which a and b are numbers
_RECORDS = {
    "float double": "float a; double b;",
    "char double float": "char k; double a; float b;",
    "short double": "short k; double a, b;",
    "double char float": "double a; char k; float b; char l;",
    "bits": "unsigned k : 3; double a; unsigned l : 9; float b;",
    "pointer": "char k; double a; const char *p; float b;",
    "array": "float a; char k[3]; double c[2], b;",
    "inner": "struct __attribute__((packed)) { char k; double d; } i; float a; double b;",
    "three floats": "float a, c; char k; float b;",
}
#: from the array u of records to the array v; both have N
_COPIES = {
    "memcpy": "memcpy(v, u, N * sizeof *u);",
    "memmove": "memmove(v, u, N * sizeof *u);",
    "assignment": "for (int i = 0; i < N; i++) v[i] = u[i];",
    "members": "for (int i = 0; i < N; i++) v[i].a = u[i].a, v[i].b = u[i].b;",
    "bytes": "for (unsigned i = 0; i < N * sizeof *u; i++) ((char *)v)[i] = ((char *)u)[i];",
    "backward": "for (int i = N; i--;) memcpy(v + i, u + i, sizeof *u);",
    "halves": "memcpy(v, u, N * sizeof *u / 2); memcpy((char *)v + N * sizeof *u / 2, (char *)u + N * sizeof *u / 2, N * sizeof *u - N * sizeof *u / 2);",
    "shift": "memcpy(v, u, N * sizeof *u); memmove(v, v + 1, (N - 1) * sizeof *u); memmove(v + 1, v, (N - 1) * sizeof *u); v[0] = u[0];",
    "realloc": "R *w = malloc(sizeof *u); *w = u[0]; w = realloc(w, N * sizeof *u); memcpy(w + 1, u + 1, (N - 1) * sizeof *u); memcpy(v, w, N * sizeof *u); free(w);",
    "by value": "for (int i = 0; i < N; i++) v[i] = same_as_CASE(u[i]);",
    "qsort": "memcpy(v, u, N * sizeof *u); qsort(v, N, sizeof *v, order_of_CASE);",
    "words": "for (unsigned i = 0; i < N * sizeof *u / 4; i++) ((anyint *)v)[i] = ((anyint *)u)[i]; for (unsigned i = N * sizeof *u / 4 * 4; i < N * sizeof *u; i++) ((char *)v)[i] = ((char *)u)[i];",
    "longs": "for (unsigned i = 0; i < N * sizeof *u / 8; i++) ((anylong *)v)[i] = ((anylong *)u)[i]; for (unsigned i = N * sizeof *u / 8 * 8; i < N * sizeof *u; i++) ((char *)v)[i] = ((char *)u)[i];",
    "file": "FILE *f = tmpfile(); fwrite(u, sizeof *u, N, f); rewind(f); if (fread(v, sizeof *v, N, f) != N) return 0; fclose(f);",
    "buffer": "char t[9 + N * sizeof *u]; memcpy(t + 3, u, N * sizeof *u); memcpy(v, t + 3, N * sizeof *u);",
    "swap": "memcpy(v, u, N * sizeof *u); R t = v[0]; v[0] = v[1]; v[1] = t; t = v[1]; v[1] = v[0]; v[0] = t;",
}
_MEMORY = {
    "stack": ("R u[N], v[N]; memset(u, 0, sizeof u); memset(v, 0, sizeof v);", ""),
    "heap": ("R *u = calloc(N, sizeof *u), *v = calloc(N, sizeof *v);", "free(u); free(v);"),
}
_BEFORE = """enum { N_OF_CASE = COUNT };
#define N N_OF_CASE
typedef struct __attribute__((packed)) { MEMBERS } R_OF_CASE;
#define R R_OF_CASE
static int order_of_CASE(const void *l, const void *r) { return ((const R *)l)->a < ((const R *)r)->a ? 1 : -1; }
__attribute__((noinline)) static R same_as_CASE(R r) { r.a *= 1; return r; }
"""
_AFTER = "#undef N\n#undef R\n"
_FILLED = "for (int i = 0; i < N; i++) u[i].a = x * (i + 1), u[i].b = x * x + i;"
_READ = "T r = 0; for (int i = 0; i < N; i++) r += v[i].a * v[i].b * (i + 1);"


def _neighbours() -> list[Neighbour]:
    found = []
    for record, members in _RECORDS.items():
        for copy, text in _COPIES.items():
            for memory, (made, freed) in _MEMORY.items():
                body = f"{made} {_FILLED} {text} {_READ} {freed} return r;"
                before = _BEFORE.replace("MEMBERS", members).replace("COUNT", "3")
                found.append(of_number(f"{record}-{copy}-{memory}", body, before, trial="TRY_ROUGHLY"))
    return [Neighbour(n.name, n.text + _AFTER, n.call) for n in found]


C = Kind("c", _HEAD, tuple(_neighbours()))
