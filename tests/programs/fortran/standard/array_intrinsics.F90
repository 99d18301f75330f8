#include "check_each.h"
module functions
  implicit none
  type pair
    real(8) :: a, b
  end type
contains
  real(8) function reduced_by_procedure(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: m(2, 3)
    m = reshape(x, [2, 3])
    y = reduce(x, times) + sum(reduce(m, times, dim=1)) + reduce(x, plus, mask=x > 0.5d0)
  contains
    pure real(8) function times(a, b)
      real(8), intent(in) :: a, b
      times = a * b
    end function
    pure real(8) function plus(a, b)
      real(8), intent(in) :: a, b
      plus = a + sin(b)
    end function
  end function

  real(8) function reduced_complex(x) result(y)
    real(8), intent(in) :: x(6)
    complex(8) :: z(3)
    z = [cmplx(x(1), x(2), 8), cmplx(x(3), x(4), 8), cmplx(x(5), x(6), 8)]
    y = abs(reduce(z, times)) + abs(sum(z)) + real(product(z)) + real(dot_product(z, z)) + aimag(dot_product(z, z(3:1:-1)))
    y = y + abs(sum(matmul(reshape(z, [3, 1]), reshape(z, [1, 3]))))
  contains
    pure complex(8) function times(a, b)
      complex(8), intent(in) :: a, b
      times = a * b
    end function
  end function

  real(8) function reduced_type(x) result(y)
    real(8), intent(in) :: x(6)
    type(pair) :: p(3), q
    p = [pair(x(1), x(2)), pair(x(3), x(4)), pair(x(5), x(6))]
    q = reduce(p, join)
    y = q%a * q%b
  contains
    pure type(pair) function join(a, b)
      type(pair), intent(in) :: a, b
      join = pair(a%a * b%a, a%b + b%b * a%a)
    end function
  end function

  real(8) function located(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: m(2, 3)
    integer :: at(2)
    m = reshape(x, [2, 3])
    at = maxloc(m)
    y = m(at(1), at(2))**2
    at = findloc(m > 0.5d0, .true.)
    y = y + m(at(1), at(2)) * x(1)
    y = y + x(findloc(x, x(3), dim=1)) + x(minloc(x, dim=1, mask=x > 0, back=.true.)) * x(2)
    y = y + sum(x(maxloc(m, dim=1))) + findloc([1, 2, 3], 2, dim=1) * x(4)
  end function

  real(8) function shifted(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: m(2, 3), n(2, 3), z(4)
    m = reshape(x, [2, 3])
    n = cshift(m, [1, 0], dim=2) * eoshift(m, [1, 0, -1], boundary=[x(1), x(2), x(3)], dim=1)
    z = eoshift(x(1:4), 1, x(6)) * cshift(x(2:5), -1)
    y = sum(n**2) + sum(n * m) + dot_product(z, x(1:4))
  end function

  real(8) function packed(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: m(2, 3), v(8)
    real(8), allocatable :: p(:)
    m = reshape(x, [2, 3])
    p = pack(m, mask=m > 0)
    v = pack(m, .true., vector=[x(1:4) * 2, x(1:4) * 3])
    m = unpack(p, mask=m > 0, field=0d0)
    y = sum(p**2) + sum(v * [1, 2, 3, 4, 5, 6, 7, 8]) + sum(m(:, 2) * x(2:3)) + size(p) * x(1)
    m = merge(m, transpose(reshape(x, [3, 2])), m > x(4))
    y = y + sum(m**2)
  end function

  real(8) function spread_and_reshaped(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: c(2, 3, 2), d(3, 2), e(3)
    c = spread(reshape(x, [2, 3]), dim=3, ncopies=2)
    d = reshape(c(1, :, :), [3, 2], order=[2, 1], pad=[0d0])
    e = spread(x(1), 1, 3)
    y = sum(c * x(1)) + sum(d**2) + norm2(d) + sum(norm2(d, 1)) + product(e) + sum(sum(c, 3) * reshape(x, [2, 3]))
  end function

  real(8) function multiplied(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: a(2, 3), r(2, 2)
    real(4) :: s(3, 2)
    integer :: k(3, 2)
    complex(8) :: z(3, 2)
    a = reshape(x, [2, 3])
    k = reshape([1, 2, 3, 4, 5, 6], [3, 2])
    s = real(k)
    z = cmplx(reshape(x, [3, 2]), 1d0, 8)
    r = matmul(a, k) + matmul(a, s) + real(matmul(a, z)) + matmul(transpose(s), transpose(a))
    y = sum(r**2) + dot_product(x(1:3), [1, 2, 3]) + sum(matmul(x(1:2), a)) + sum(matmul(transpose(a), x(1:2)) * x(1:3))
  end function

  real(8) function extreme_values(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: m(2, 3)
    m = reshape(x, [2, 3])
    y = maxval(x) * minval(x, mask=x > 0) + sum(maxval(m, dim=2, mask=m > 0) * minval(m, 2)) + sum(product(m, 1))
    y = y + sum(m, mask=m > 0) + sum(sum(m, 2, m < 1)**2) + count(m > 0) * x(1) + sum(count(m > 0, 1)) * x(2)
    if (any(m > 1) .and. all(x > -1) .and. .not. parity(x > 0)) y = y + x(3)**2
    if (any(any(m < 0, 1))) y = y * 2
    y = y + iall([1, 3]) * x(1) + iany([1, 2]) * x(2) + iparity([3, 2]) * x(3) + maxval([1, 5]) * x(4) + sum([1, 2]) * x(5)
  end function

  real(8) function shapes(x) result(y)
    real(8), intent(in) :: x(6)
    real(8), allocatable :: a(:, :)
    allocate(a(-1:0, 3))
    a = reshape(x, shape(a))
    y = a(lbound(a, 1), ubound(a, 2)) * size(a) + a(lbound(a, 1), 2) * size(a, 2) + rank(a) * x(1) + x(6) * sum(shape(a))
    if (allocated(a) .and. is_contiguous(a)) y = y + a(0, 1)**2
  end function

  real(8) function transferred_to_type(x) result(y)
    real(8), intent(in) :: x(6)
    type(pair) :: p(3)
    p = transfer(x, p)
    y = sum(p%a * p%b)
  end function

  real(8) function transferred_complex(x) result(y)
    real(8), intent(in) :: x(6)
    complex(8) :: z(3)
    real(8) :: v(2)
    z = transfer(x, z)
    v = transfer(z(2), v)
    y = abs(z(1)) * real(z(3)) + v(1) * v(2) + transfer(z(1), 1d0)
  end function

  real(8) function transferred_from_type(x) result(y)
    real(8), intent(in) :: x(6)
    type(pair) :: p(3)
    real(8) :: w(6)
    p%a = x(1:3)
    p%b = x(4:6)
    w = transfer(p, w)
    y = sum(w**2)
  end function

  real(8) function transferred_bits(x) result(y)
    real(8), intent(in) :: x(6)
    integer(8) :: bits
    bits = transfer(x(2), bits)
    y = transfer(bits, x(1)) * x(1) + sum(transfer(x, [0d0], 4))
  end function

  real(8) function constructed(x) result(y)
    real(8), intent(in) :: x(6)
    real(8), allocatable :: v(:)
    integer :: i, j
    v = [x(1), (x(i) * i, i = 2, 4), ((x(i) * x(j), i = 1, j), j = 1, 3), x(5:6)]
    v = [real(8) :: v, 1, 2]
    y = sum(v**2) + size(v) * x(1)
  end function

  real(8) function where_and_forall(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: m(2, 3), v(6)
    integer :: i, j
    m = reshape(x, [2, 3])
    where (m > 0.8d0)
      m = m**2
    elsewhere (m > 0)
      m = sin(m)
    elsewhere
      m = -m * x(1)
    end where
    forall (i = 1:6, x(i) > 0) v(i) = x(i) * i
    v(3) = x(3)
    forall (i = 1:2, j = 1:3)
      m(i, j) = m(i, j) * x(j) + i
    end forall
    forall (i = 2:6) v(i) = v(i - 1) + v(i)
    forall (i = 1:2)
      where (m(i, :) > 1) m(i, :) = m(i, 3:1:-1)
    end forall
    y = sum(m * m) + sum(v * x)
  end function

  real(8) function vector_subscripts(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: v(6)
    integer :: at(3)
    at = [5, 1, 3]
    v = x
    v(at) = v(at) * v([2, 2, 6])
    v(1:6:2) = v(6:1:-2) + x(at)
    call scale_all(v(at))
    y = sum(v**2)
  contains
    subroutine scale_all(a)
      real(8), intent(in) :: a(:)
      v(2) = v(2) * sum(a)
    end subroutine
  end function
end module

program main
  use check
  use functions
  real(8) :: x(6) = [0.7d0, 1.1d0, -0.4d0, 0.9d0, 1.3d0, 0.2d0], dx(6)
  CHECK(reduced_by_procedure)
  CHECK(reduced_complex)
  CHECK(reduced_type)
  CHECK(located)
  CHECK(shifted)
  CHECK(packed)
  CHECK(spread_and_reshaped)
  CHECK(multiplied)
  CHECK(extreme_values)
  CHECK(shapes)
  CHECK(transferred_to_type)
  CHECK(transferred_complex)
  CHECK(transferred_from_type)
  CHECK(transferred_bits)
  CHECK(constructed)
  CHECK(where_and_forall)
  CHECK(vector_subscripts)
  call finish()
end program
