#include "check_each.h"
module functions
  use, intrinsic :: iso_c_binding
  implicit none
  abstract interface
    real(8) function map(t)
      real(8), intent(in) :: t
    end function
  end interface
  interface area
    procedure :: area_square, area_rectangle
  end interface
  type operation
    procedure(map), pointer, nopass :: apply => null()
    real(8) :: factor = 1
  end type
contains
  real(8) function area_square(a)
    real(8), intent(in) :: a
    area_square = a * a
  end function
  real(8) function area_rectangle(a, b)
    real(8), intent(in) :: a, b
    area_rectangle = a * b
  end function

  real(8) function integral(g, a, b) result(s)
    procedure(map) :: g
    real(8), intent(in) :: a, b
    integer :: i
    s = 0
    do i = 1, 4
      s = s + g(a + (b - a) * (i - 0.5d0) / 4) * (b - a) / 4
    end do
  end function

  real(8) function integral_of_pointer(g, a, b) result(s)
    procedure(map), pointer, intent(in) :: g
    real(8), intent(in) :: a, b
    s = integral(g, a, b)
  end function

  ! an internal procedure that uses the variables of its host, passed on through a procedure that is not inlined
  real(8) function internal_argument(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: w
    w = x(3) * x(4)
    y = integral(inside, x(1), x(2))
    w = x(5)
    y = y + integral(inside, x(2), x(6)) + twice(inside)
  contains
    real(8) function inside(t)
      real(8), intent(in) :: t
      inside = sin(t * w) + x(1) * t
    end function
    real(8) function twice(g)
      procedure(map) :: g
      twice = g(x(1)) + integral(g, x(3), x(2))
    end function
  end function

  real(8) function internal_pointer(x) result(y)
    real(8), intent(in) :: x(6)
    procedure(map), pointer :: g
    type(operation) :: op
    real(8) :: w
    w = x(3)
    g => inside
    y = g(x(1)) * integral_of_pointer(g, x(1), x(2))
    g => outside
    y = y + g(x(2)) + integral(g, x(1), x(4))
    op%apply => inside
    op%factor = x(5)
    y = y + op%apply(x(6)) * op%factor
    if (associated(g, outside)) y = y * 2
    nullify (g)
    if (.not. associated(g)) y = y + x(1)
  contains
    real(8) function inside(t)
      real(8), intent(in) :: t
      inside = exp(t * w) + x(2)
    end function
  end function

  real(8) function outside(t)
    real(8), intent(in) :: t
    outside = t**3
  end function

  ! trampolines nest: the integrand of one integral is another integral
  real(8) function nested_integral(x) result(y)
    real(8), intent(in) :: x(6)
    y = integral(outer, x(1), x(2))
  contains
    real(8) function outer(s)
      real(8), intent(in) :: s
      real(8) :: at
      at = s
      outer = integral(of_pair, x(3), at)
    end function
    real(8) function of_pair(t)
      real(8), intent(in) :: t
      of_pair = cos(t * x(4)) * t
    end function
  end function

  recursive real(8) function recursive_with_argument(g, n, a) result(y)
    procedure(map) :: g
    integer, intent(in) :: n
    real(8), intent(in) :: a
    if (n == 0) then
      y = g(a)
    else
      y = recursive_with_argument(deeper, n - 1, a * 0.9d0)
    end if
  contains
    real(8) function deeper(t)
      real(8), intent(in) :: t
      deeper = g(t * a) + t
    end function
  end function

  real(8) function recursive_closures(x) result(y)
    real(8), intent(in) :: x(6)
    y = recursive_with_argument(outside, 3, x(1)) * x(2)
  end function

  real(8) function optional_arguments(x) result(y)
    real(8), intent(in) :: x(6)
    y = inner(x(1)) + inner(x(2), x(3)) + inner(x(4), c=x(5:6)) + passed_on(x(6)) + passed_on(x(1), x(2))
  contains
    real(8) function inner(a, b, c)
      real(8), intent(in) :: a
      real(8), intent(in), optional :: b, c(:)
      inner = a
      if (present(b)) inner = inner * b
      if (present(c)) inner = inner + sum(c**2)
    end function
    real(8) function passed_on(a, b)
      real(8), intent(in) :: a
      real(8), intent(in), optional :: b
      passed_on = inner(a, b)**2
    end function
  end function

  real(8) function by_value(x) result(y)
    real(8), intent(in) :: x(6)
    complex(8) :: z
    z = times(cmplx(x(1), x(2), 8), x(3))
    y = real(z) * aimag(z) + shortened(x, 4)
  contains
    complex(8) function times(z, f)
      complex(8), value :: z
      real(8), value :: f
      z = z * f
      f = f + 1
      times = z * f
    end function
    real(8) function shortened(a, n)
      integer, value :: n
      real(8), intent(in) :: a(n)
      n = n - 1
      shortened = sum(a(1:n)**2)
    end function
  end function

  real(8) function shapes_of_arguments(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: m(2, 3)
    m = reshape(x, [2, 3])
    y = explicit(m, 2, 3) + size_unknown(m(:, 2), 2) + assumed(m(:, 3:1:-1)) + compact(m(1, :)) + sequence(m(2, 1))
    y = y + ranked(x(1)) + ranked(x) + ranked(m)
  contains
    real(8) function explicit(a, r, c)
      integer, intent(in) :: r, c
      real(8), intent(in) :: a(r, c)
      explicit = sum(a**2)
    end function
    real(8) function size_unknown(a, k)
      real(8), intent(in) :: a(*)
      integer, intent(in) :: k
      size_unknown = sum(a(1:k)**3)
    end function
    real(8) function assumed(a)
      real(8), intent(in) :: a(0:, :)
      assumed = a(0, 1) * a(1, 3) + size(a) * a(0, 2)
    end function
    real(8) function compact(a)
      real(8), intent(in), contiguous :: a(:)
      compact = product(a)
    end function
    real(8) function sequence(a)
      real(8), intent(in) :: a(3)
      sequence = a(1) * a(2) + a(3)
    end function
    real(8) function ranked(a)
      real(8), intent(in) :: a(..)
      select rank (a)
      rank (0)
        ranked = a**2
      rank (1)
        ranked = sum(a**3)
      rank default
        ranked = size(a) * 0.1d0
      end select
    end function
  end function

  real(8) function results(x) result(y)
    real(8), intent(in) :: x(6)
    real(8), pointer :: p(:)
    real(8), allocatable :: a(:)
    a = made(x)
    p => chosen(x)
    y = sum(doubled(a)) * sum(p) + area(x(1)) + area(x(2), x(3))
    deallocate (p)
  contains
    function made(v) result(w)
      real(8), intent(in) :: v(:)
      real(8), allocatable :: w(:)
      w = pack(v, v > 0) * x(1)
    end function
    function chosen(v) result(w)
      real(8), intent(in) :: v(:)
      real(8), pointer :: w(:)
      allocate (w(3))
      w = v(1:3) * v(4:6)
    end function
    function doubled(v) result(w)
      real(8), intent(in) :: v(:)
      real(8) :: w(size(v))
      w = 2 * v**2
    end function
  end function

  impure elemental real(8) function counted(a) result(b)
    real(8), intent(in) :: a
    integer, save :: calls = 0
    calls = calls + 1
    b = a**2
  end function
  elemental subroutine swap(a, b)
    real(8), intent(inout) :: a, b
    real(8) :: t
    t = a
    a = b * 2
    b = t
  end subroutine
  real(8) function elementals(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: v(3), w(3)
    v = x(1:3)
    w = x(4:6)
    call swap(v, w(3:1:-1))
    y = sum(counted(v)) + sum(w * v) + counted(x(1))
  end function

  real(8) function c_pointers(x) result(y)
    real(8), intent(in) :: x(6)
    real(8), target :: v(6)
    real(8), pointer :: p(:), m(:, :)
    type(c_ptr) :: address
    type(c_funptr) :: code
    procedure(map), pointer :: g
    v = x
    address = c_loc(v)
    call c_f_pointer(address, p, [6])
    call c_f_pointer(address, m, [2, 3])
    p(2) = p(2) * x(1)
    code = c_funloc(outside)
    call c_f_procpointer(code, g)
    y = sum(m(2, :)) * p(1) + g(x(3))
    if (c_associated(address)) y = y + c_sizeof(x(1)) * x(4)
  end function
end module

program main
  use check
  use functions
  real(8) :: x(6) = [0.7d0, 1.1d0, -0.4d0, 0.9d0, 1.3d0, 0.2d0], dx(6)
  CHECK(internal_argument)
  CHECK(internal_pointer)
  CHECK(nested_integral)
  CHECK(recursive_closures)
  CHECK(optional_arguments)
  CHECK(by_value)
  CHECK(shapes_of_arguments)
  CHECK(results)
  CHECK(elementals)
  CHECK(c_pointers)
  call finish()
end program
