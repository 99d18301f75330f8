"""Statements and calls that overwrite a number with another one, which carries no derivative."""

from __future__ import annotations

from .neighbour import Kind, Neighbour, of_number, pairs

_HEAD = """#define _GNU_SOURCE
#include "head.h"
#include <fcntl.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>
#include <time.h>
#include <wchar.h>
#ifdef __cplusplus
#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>
#endif
#define FILE_OF(count) FILE *f = tmpfile(); T w[3] = {2, 3, 4}; fwrite(w, SIZE, count, f); rewind(f)
"""
#: p points at N numbers, which are written over
_CALLS = {
    "sscanf": 'sscanf("2.5 3.5 4.5", SIZE == 8 ? "%lf" : "%f", p);',
    "sscanf of two": 'sscanf("2.5 3.5 4.5", SIZE == 8 ? "%lf%lf" : "%f%f", p, p + N - 1);',
    "sscanf fails": 'sscanf("2.5 no", SIZE == 8 ? "%lf%lf" : "%f%f", p, p + N - 1);',
    "sscanf characters": 'char u[] = "abcdefgh"; sscanf(u, SIZE == 8 ? "%8c" : "%4c", (char *)p); *p = 3;',
    "sscanf count": 'int n; sscanf("2.5 7", SIZE == 8 ? "%lf%n" : "%f%n", p, &n);',
    "fscanf": 'FILE *f = tmpfile(); fputs("2.5 3.5", f); rewind(f);'
    ' if (fscanf(f, SIZE == 8 ? "%lf" : "%f", p) != 1) return 0; fclose(f);',
    "fread": "FILE_OF(N); if (fread(p, SIZE, N, f) != N) return 0; fclose(f);",
    "fread of one": "FILE_OF(1); if (fread(p, SIZE, N, f) != 1) return 0; fclose(f);",
    "fread of bytes": "FILE_OF(N); if (fread(p, 1, N * SIZE, f) < N) return 0; fclose(f);",
    "read": "FILE_OF(N); if (read(fileno(f), p, N * SIZE) < 0) return 0; fclose(f);",
    "pread": "FILE_OF(N); fflush(f); if (pread(fileno(f), p, N * SIZE, 0) < 0) return 0; fclose(f);",
    "readv": "FILE_OF(N); fflush(f); struct iovec v = {p, N * SIZE}; lseek(fileno(f), 0, 0); if (readv(fileno(f), &v, 1) < 0) return 0; fclose(f);",
    "fgets": "FILE_OF(N); if (!fgets((char *)p, N * SIZE, f)) return 0; fclose(f); for (int i = 0; i < N; i++) p[i] = 2;",
    "getrandom": "if (getrandom(p, N * SIZE, 0) < 0) return 0; for (int i = 0; i < N; i++) if (p[i] != 0) p[i] = 3;",
    "getentropy": "if (getentropy(p, N * SIZE) < 0) return 0; for (int i = 0; i < N; i++) if (p[i] != 0) p[i] = 4;",
    "memset": "memset(p, 0, N * SIZE);",
    "bzero": "bzero(p, N * SIZE);",
    "explicit_bzero": "explicit_bzero(p, N * SIZE);",
    "memset of bytes": "memset((char *)p, 63, N * SIZE);",
    "wmemset": "wmemset((wchar_t *)p, 0x3f3f3f3f, N * SIZE / 4);",
    "memcpy of constants": "T w[3] = {2, 3, 4}; memcpy(p, w, N * SIZE);",
    "memcpy of a table": "static const T w[3] = {2, 3, 4}; memcpy(p, w, N * SIZE);",
    "strcpy": 'strcpy((char *)p, SIZE == 8 ? "abcdefg" : "abc");',
    "strncpy": 'strncpy((char *)p, "ab", SIZE);',
    "sprintf": 'sprintf((char *)p, SIZE == 8 ? "%07d" : "%03d", 7);',
    "snprintf": 'snprintf((char *)p, SIZE, "%s", "abcdefghijk");',
    "swab": 'char u[] = "badcfehg"; swab(u, p, SIZE);',
    "frexp": "int e; *p = frexp(8, &e);",
    "modf": "(void)(SIZE == 8 ? modf(2.5, (double *)p) : modff(2.5f, (float *)p));",
    "store of integers": "for (int i = 0; i < N * SIZE / 4; i++) ((anyint *)p)[i] = 0x40404040;",
    "store of chars": "for (int i = 0; i < N * SIZE; i++) ((char *)p)[i] = 64;",
    "store of a struct": "struct __attribute__((may_alias)) ints { int a, b; } u = {1, 2}; if (SIZE == 8) *(struct ints *)p = u; else *p = 2;",
    "gcvt": "char u[40]; gcvt(2.5, 3, u); *p = atof(u);",
    "erand48": "unsigned short u[3] = {1, 2, 3}; *p = erand48(u);",
    "drand48_r": "struct drand48_data u; double v; srand48_r(3, &u); drand48_r(&u, &v); *p = v;",
    "atomic store": "T w = 3; __atomic_store(p, &w, 5);",
    "strtod": '*p = strtod("2.5", 0);',
    "clock_gettime": "struct timespec u; clock_gettime(CLOCK_MONOTONIC, &u); *p = u.tv_nsec >= 0 ? 2 : 3;",
    "time over it": "if (SIZE == 8) time((time_t *)p); *p = *p > 7 ? 2 : 3;",
}
_CXX_CALLS = {
    ">>": 'std::istringstream s("2.5 3.5 4.5"); for (int i = 0; i < N; i++) s >> p[i];',
    ">> fails": 'std::istringstream s("2.5 no"); for (int i = 0; i < N; i++) s >> p[i];',
    "get number": 'std::istringstream s("2.5"); T v; s >> v; *p = v;',
    "getline and stod": 'std::istringstream s("2.5\\n"); std::string l; std::getline(s, l); *p = std::stod(l);',
    "from_chars": 'const char *u = "2.5"; std::from_chars(u, u + 3, *p);',
    "from_chars fails": 'const char *u = "no"; std::from_chars(u, u + 2, *p);',
    "istream read": "T w[3] = {2, 3, 4}; std::stringstream s; s.write((char *)w, SIZE * N); s.read((char *)p, SIZE * N);",
    "istream get": 'std::istringstream s("abcdefghijklmnopqrstuvwxyz"); for (int i = 0; i < SIZE * N; i++) s.get(((char *)p)[i]);',
    "istream getline": 'std::istringstream s("abcdefghijklmnopqrstuvwxyz"); s.getline((char *)p, SIZE); *p = 2;',
    "readsome": "T w[3] = {2, 3, 4}; std::stringstream s; s.write((char *)w, SIZE * N); s.readsome((char *)p, SIZE * N);",
    "sgetn": "T w[3] = {2, 3, 4}; std::stringstream s; s.write((char *)w, SIZE * N); s.rdbuf()->sgetn((char *)p, SIZE * N);",
    "string copy": "std::string s(24, '?'); s.copy((char *)p, SIZE * N);",
    "fill": "std::fill(p, p + N, T(3));",
    "generate": "std::mt19937 g(3); std::uniform_real_distribution<T> u; std::generate(p, p + N, [&] { return u(g); });",
    "normal": "std::mt19937 g(3); std::normal_distribution<T> u; for (int i = 0; i < N; i++) p[i] = u(g);",
    "iota": "std::iota(p, p + N, T(2));",
    "copy": "std::array<T, 3> w{2, 3, 4}; std::copy_n(w.begin(), N, p);",
    "exchange": "std::exchange(*p, T(3));",
    "swap": "T w = 3; std::swap(*p, w);",
    "iterator": 'std::istringstream s("2.5 3.5 4.5"); std::copy_n(std::istream_iterator<T>(s), N, p);',
    "get_money": 'std::istringstream s("2.5"); long double v = 0; s >> std::get_money(v); *p = 3;',
    "ifstream": 'T w[3] = {2, 3, 4}; std::string n = "/tmp/CASE_written" + std::to_string((uintptr_t)p); {'
    " std::ofstream o(n, std::ios::binary); o.write((char *)w, SIZE * N); }"
    " std::ifstream s(n, std::ios::binary); s.read((char *)p, SIZE * N); std::remove(n.c_str());",
}
#: what is written over; the old values of the numbers were used before, and one that stays is used after
_TARGETS = {
    "variable": "enum { N = 1 }; T a = x * x, c = a * x, *p = &a; CALL return a * c + x;",
    "scaled in a loop": "enum { N = 1 }; T a = x, s = 0, *p = &a; for (int k = 0; k < 3; k++) { { CALL } a = x + (isfinite(a) ? fabs(a) < 9 ? a : 2 : 1) * x; s += a * a; } return s;",
    "element": "enum { N = 1 }; T a[3] = {x, x * x, 2 * x}, *p = a + 1; CALL return a[0] * a[2] * (fabs(a[1]) < 9 ? a[1] : 2);",
    "array": "enum { N = 2 }; T a[3] = {x, x * x, 2 * x}, c = a[0] * a[1], *p = a; CALL return c * a[2] + (fabs(a[0]) < 9 ? a[0] : 2) * (fabs(a[1]) < 9 ? a[1] : 2) * x;",
    "heap": "enum { N = 2 }; T *a = (T *)malloc(3 * SIZE), *p = a + 1; for (int i = 0; i < 3; i++) a[i] = x * (i + 1); { CALL }"
    " T r = a[0] + x * (fabs(a[1]) < 9 ? a[1] : 2) * (fabs(a[2]) < 9 ? a[2] : 2); free(a); return r;",
    "member": "enum { N = 1 }; struct s { int n; T v; T *q; } a = {3, x * x, 0}; T *p = &a.v; a.q = &a.v; CALL return (fabs(*a.q) < 9 ? *a.q : 2) * x + a.n;",
    "static": "enum { N = 2 }; static T a[2]; a[0] = x, a[1] = x * x; T *p = a; CALL return x * (fabs(a[0]) < 9 ? a[0] : 2) + (fabs(a[1]) < 9 ? a[1] : 2) * x;",
}


def _in(number: str, calls: dict[str, str]) -> list[Neighbour]:
    return [
        of_number(name, target.replace("CALL", call), number=number) for name, call, target in pairs(calls, _TARGETS)
    ]


_ANY = "typedef uint32_t __attribute__((may_alias)) anyint;\n"
C = Kind("c", _HEAD + _ANY, (*_in("double", _CALLS), *_in("float", _CALLS)))
CXX = Kind("cxx", _HEAD + _ANY, (*_in("double", _CXX_CALLS), *_in("float", _CXX_CALLS)), ("-std=c++20",))

_FORTRAN = """module statements
  use iso_c_binding
  implicit none
  type :: point
    real(8) :: k = 1, m = 2
  end type
  type :: holder
    integer :: n = 2
    type(point) :: p(2)
    real(8), allocatable :: v(:)
  end type
"""
#: a is TYPE with two numbers
_WRITERS = {
    "random_number": "call random_number(a); a = 2 + 0 * a",
    "random_number scaled": "call random_seed(put=[(i, i = 1, 64)]); call random_number(a); a = x + a * x",
    "list": "l = '1.5 2.5'; read (l, *) a",
    "list too short": "l = '1.5'; read (l, *, iostat=i) a",
    "list with null": "l = ', 2.5'; read (l, *) a",
    "list repeated": "l = '2*3.5'; read (l, *) a",
    "formatted": "l = '   1.50   2.50'; read (l, '(2f7.2)') a",
    "formatted E": "l = ' 0.15E+01 0.25E+01'; read (l, '(2e9.2)') a",
    "namelist": "l = '&inp a = 2.5, 3.5 /'; read (l, nml=inp)",
    "namelist of one": "l = '&inp a(2) = 2.5 /'; read (l, nml=inp)",
    "namelist of others": "l = '&inp i = 2 /'; read (l, nml=inp)",
    "unformatted": "open (newunit=u, status='scratch', form='unformatted'); write (u) 1d0, 2d0; rewind (u); read (u) a; close (u)",
    "stream": "open (newunit=u, status='scratch', form='unformatted', access='stream'); write (u) 1d0, 2d0;"
    " read (u, pos=1) a; close (u)",
    "direct": "open (newunit=u, status='scratch', form='unformatted', access='direct', recl=16); write (u, rec=1) 1d0, 2d0;"
    " read (u, rec=1) a; close (u)",
    "file": "open (newunit=u, status='scratch'); write (u, '(a)') '1.5 2.5'; rewind (u); read (u, *) a; close (u)",
    "end of file": "open (newunit=u, status='scratch'); write (u, '(a)') '1.5'; rewind (u); read (u, *, end=9) a\n9 close (u)",
    "implied do": "l = '1.5 2.5'; read (l, *) (a(i), i = 1, 2)",
    "backward": "l = '1.5 2.5'; read (l, *) a(2:1:-1)",
    "cpu_time": "call cpu_time(a(1)); a(1) = min(abs(a(1)), 0d0) + 3",
    "constants": "a = [2d0, 3d0]",
    "data": "a = d",
    "transfer": "a = transfer([4607182418800017408_8, 4611686018427387904_8], a)",
}
_FORTRAN_TARGETS = {
    "array": ("real(8) :: a(2)", "a = [x, x * x]", "r = a(1) * a(2) * x"),
    "allocatable": ("real(8), allocatable :: a(:)", "allocate (a(2)); a = [x, x * x]", "r = a(1) * a(2) * x + sum(a)"),
    "pointer": (
        "real(8), pointer :: a(:)\n real(8), target :: b(4)",
        "b = x * x; a => b(1:4:2); a(1) = x",
        "r = a(1) * a(2) * b(2) * x",
    ),
    "saved": ("real(8), save :: a(2)", "a = [x, x * x]", "r = a(1) * a(2) * x"),
    "common": ("real(8) :: a(2)\n common /CASE_block/ a", "a = [x, x * x]", "r = a(1) * a(2) * x"),
    "loop": ("real(8) :: a(2), s", "s = 0; a = x; do k = 1, 2; a = a * x", "s = s + a(1) * a(2) * x; end do; r = s"),
}


def _statement(name: str, writer: str, target: tuple[str, str, str]) -> Neighbour:
    declared, first, last = target
    end = last.replace("end do;", "\n end do\n").replace("; ", "\n")
    text = f"""subroutine CASE(x, r) bind(C)
  real(8) :: x, r
  {declared}
  real(8) :: d(2) = [2, 3]
  integer :: i, u, k
  character(40) :: l
  namelist /inp/ a, i
  k = 0
  {first.replace("; ", chr(10) + "  ")}
  {writer.replace("; ", chr(10) + "  ")}
  {end}
end subroutine
"""
    return Neighbour(name, text, "TRY_FORTRAN(CASE);")


FORTRAN = Kind(
    "fortran",
    _FORTRAN,
    tuple(
        _statement(f"{w}-{t}", writer, target)
        for w, writer in _WRITERS.items()
        for t, target in _FORTRAN_TARGETS.items()
    ),
)
