"""Numbers, and bytes of numbers, that intrinsic functions and statements of Fortran move."""

from __future__ import annotations

from .neighbour import Kind, Neighbour, pairs

_HEAD = """module moves
  use iso_c_binding
  implicit none
  type :: pair
    real(8) :: a, b
  end type
"""
_START = """subroutine CASE(x, r) bind(C)
  real(8) :: x, r, y, z, v(6), w(6), m(2, 3), q(3, 2)
  real(8), allocatable :: p(:), o(:)
  real(8), pointer :: g(:)
  real(8), target :: h(6)
  character(8) :: s, n
  character(:), allocatable :: t, t2
  character(1) :: c(48), d(48)
  integer(8) :: i8, j8
  integer(4) :: i4(2), j4(2)
  integer(1) :: i1(8), j1(8)
  complex(8) :: k
  complex(4) :: k4
  type(pair) :: f, f2
  class(*), allocatable :: u
  integer :: i, unit
  y = x * x + 0.1234567d0
"""
#: y becomes 8 characters s
_INTO_CHARACTERS = {
    "transfer": "s = transfer(y, s)",
    "of an array": "t = transfer([x, y], repeat(' ', 16)); s = t(9:16)",
    "of a type": "f = pair(x, y); t = transfer(f, repeat(' ', 16)); s = t(9:16)",
    "of a complex": "t = transfer(cmplx(x, y, 8), repeat(' ', 16)); s = t(9:16)",
    "of an integer": "i8 = transfer(y, i8); s = transfer(i8, s)",
    "of bytes": "i1 = transfer(y, i1); do i = 1, 8; s(i:i) = achar(iand(int(i1(i)), 255)); end do",
    "array": "c(1:8) = transfer(y, c); do i = 1, 8; s(i:i) = c(i); end do",
}
#: s is moved to the characters n
_CHARACTERS = {
    "assignment": "n = s",
    "concatenation": "t = 'head' // s // 'tail'; n = t(5:12)",
    "growing": "t = ''; do i = 1, 3; t = t // s; end do; n = t(9:16)",
    "repeat": "t = repeat(s, 3); n = t(17:24)",
    "adjustl": "n = adjustl(s)",
    "adjustr": "n = adjustr(s)",
    "trim": "n = trim(s)",
    "substring": "n(1:4) = s(1:4); n(5:8) = s(5:8)",
    "single": "do i = 1, 8; n(i:i) = s(i:i); end do",
    "array": "c(1:8) = [(s(i:i), i = 1, 8)]; d = c; do i = 1, 8; n(i:i) = d(i); end do",
    "merge": "n = merge(s, 'abcdefgh', x > 0)",
    "move_alloc": "t = s; call move_alloc(t, t2); n = t2",
    "internal write": "write (n, '(a)') s",
    "internal read": "read (s, '(a)') n",
    "unformatted": "open (newunit=unit, status='scratch', form='unformatted'); write (unit) s; rewind (unit); read (unit) n; close (unit)",
    "formatted": "open (newunit=unit, status='scratch'); write (unit, '(a)') s; rewind (unit); read (unit, '(a)') n; close (unit)",
    "stream": "open (newunit=unit, status='scratch', access='stream'); write (unit) s; read (unit, pos=1) n; close (unit)",
    "iachar": "do i = 1, 8; n(i:i) = achar(iachar(s(i:i))); end do",
    "max": "n = max(s, repeat(char(0), 8))",
    "pack": "c(1:8) = transfer(s, c); d(1:8) = pack(c(1:8), [(i < 9, i = 1, 8)]); n = transfer(d(1:8), n)",
    "cshift": "c(1:8) = transfer(s, c); d(1:8) = cshift(cshift(c(1:8), 3), -3); n = transfer(d(1:8), n)",
    "spread": "c(1:16) = reshape(spread(transfer(s, c(1:8)), 2, 2), [16]); n = transfer(c(9:16), n)",
}
#: numbers of v go to w, without characters
_NUMBERS = {
    "transfer to integer": "i8 = transfer(v(1), i8); w(1) = transfer(i8, w(1))",
    "transfer to halves": "i4 = transfer(v(1), i4); j4 = i4; w(1) = transfer(j4, w(1))",
    "transfer to bytes": "i1 = transfer(v(1), i1); j1 = i1(1:8); w(1) = transfer(j1, w(1))",
    "transfer twice": "w(1:2) = transfer(transfer(v(1:2), [i8]), w(1:2))",
    "transfer of complex": "k = transfer(v(1:2), k); w(1:2) = [real(k), aimag(k)]",
    "transfer to type": "f = transfer(v(1:2), f); f2 = f; w(1:2) = [f2%a, f2%b]",
    "transfer of type": "f = pair(v(1), v(2)); w(1:2) = transfer(f, w(1:2))",
    "transfer reversed": "i1 = transfer(v(1), i1); j1 = i1(8:1:-1); i1 = j1(8:1:-1); w(1) = transfer(i1, w(1))",
    "ieor": "i8 = transfer(v(1), i8); j8 = ieor(i8, 5_8); w(1) = transfer(ieor(j8, 5_8), w(1))",
    "mvbits": "i8 = transfer(v(1), i8); j8 = 0; call mvbits(i8, 0, 32, j8, 0); call mvbits(i8, 32, 32, j8, 32); w(1) = transfer(j8, w(1))",
    "ibset": "i8 = transfer(v(1), i8); j8 = 0; do i = 0, 63; if (btest(i8, i)) j8 = ibset(j8, i); end do; w(1) = transfer(j8, w(1))",
    "ishftc": "i8 = transfer(v(1), i8); j8 = ishftc(ishftc(i8, 13), -13); w(1) = transfer(j8, w(1))",
    "merge_bits": "i8 = transfer(v(1), i8); j8 = merge_bits(i8, i8, 65535_8); w(1) = transfer(j8, w(1))",
    "ibits": "i8 = transfer(v(1), i8); j8 = ior(ibits(i8, 0, 20), ishft(ibits(i8, 20, 44), 20)); w(1) = transfer(j8, w(1))",
    "reshape": "m = reshape(v, [2, 3]); w = reshape(transpose(m), [6], order=[1])",
    "transpose": "m = reshape(v, [2, 3]); q = transpose(m); w = reshape(q, [6])",
    "pack": "w(1:3) = pack(v, [(mod(i, 2) == 1, i = 1, 6)])",
    "unpack": "w = unpack(v(1:3), [(mod(i, 2) == 1, i = 1, 6)], v)",
    "spread": "w = reshape(spread(v(1:2), 1, 3), [6])",
    "cshift": "w = cshift(v, 2)",
    "eoshift": "w = eoshift(v, 1, v(6))",
    "eoshift of rows": "m = reshape(v, [2, 3]); w = reshape(eoshift(m, 1, dim=2), [6])",
    "merge": "w = merge(v, v(6:1:-1), [(mod(i, 2) == 1, i = 1, 6)])",
    "matmul": "m = reshape(v, [2, 3]); q = transpose(m); w(1:4) = reshape(matmul(m, q), [4])",
    "move_alloc": "p = v; call move_alloc(p, o); w = o",
    "reallocation": "p = v(1:2); p = [p, v]; w = p(3:8)",
    "source": "allocate (p, source=v); w = p",
    "mold": "allocate (p, mold=v); p(:) = v(6:1:-1); w = p",
    "pointer": "h = v; g => h(6:1:-1); w = g",
    "bounds remapping": "h = v; g(0:5) => h; w = g(0:5)",
    "unlimited": "allocate (u, source=v(2)); select type (u); type is (real(8)); w(1) = u; end select",
    "unlimited array": "allocate (u, source=pair(v(1), v(2))); select type (u); type is (pair); w(1) = u%a; w(2) = u%b; end select",
    "equivalence by type": "f = pair(v(1), v(2)); f2 = f; f = pair(f2%b, f2%a); w(1:2) = [f%a, f%b]",
    "where": "where (v > 1); w = v; elsewhere; w = 2 * v; end where",
    "forall": "forall (i = 1:6) w(i) = v(7 - i)",
    "sum by dim": "m = reshape(v, [2, 3]); w(1:3) = sum(m, 1); w(4:5) = product(m, 2)",
    "maxval": "m = reshape(v, [2, 3]); w(1:3) = maxval(m, 1); w(4) = minval(v)",
    "unformatted": "open (newunit=unit, status='scratch', form='unformatted'); write (unit) v; rewind (unit); read (unit) w; close (unit)",
    "stream": "open (newunit=unit, status='scratch', form='unformatted', access='stream'); write (unit) v(1); read (unit, pos=1) w(1); close (unit)",
    "direct": "open (newunit=unit, status='scratch', form='unformatted', access='direct', recl=8); write (unit, rec=2) v(1); read (unit, rec=2) w(1); close (unit)",
    "list": "open (newunit=unit, status='scratch'); write (unit, *) v; rewind (unit); read (unit, *) w; close (unit)",
    "hexadecimal": "write (s, '(a)') ' '; allocate (character(20) :: t); write (t, '(z16)') v(1); read (t, '(z16)') w(1)",
    "internal list": "allocate (character(200) :: t); write (t, *) v; read (t, *) w",
    "findloc": "w(1) = v(findloc([(i, i = 1, 6)], 3, 1)); w(2) = v(maxloc(v, 1))",
    "reduce": "w(1) = norm2(v); w(2) = dot_product(v, v)",
}


def _of_numbers(name: str, moved: str) -> Neighbour:
    text = f"{_START}  v = [x, y, 2d0, x * y, 3 * x, y * y]\n  w = 0\n  {moved}\n  r = sum(w * [1, 2, 3, 4, 5, 6] * x)\nend subroutine\n"
    return Neighbour(name, text.replace("; ", "\n  "), "TRY_FORTRAN(CASE);")


def _of_characters(name: str, into: str, moved: str) -> Neighbour:
    text = f"{_START}  {into}\n  {moved}\n  z = transfer(n, z)\n  r = z * x\nend subroutine\n"
    return Neighbour(name, text.replace("; ", "\n  "), "TRY_FORTRAN(CASE);")


NUMBERS = Kind("fortran", _HEAD, tuple(_of_numbers(*row) for row in _NUMBERS.items()))
CHARACTERS = Kind("fortran", _HEAD, tuple(_of_characters(*row) for row in pairs(_INTO_CHARACTERS, _CHARACTERS)))
