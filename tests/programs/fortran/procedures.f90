! Elemental, pure, contained and recursive procedures, optional arguments, results that are arrays, procedure arguments,
! generic interfaces, operators of one's own.
module algebra
  implicit none
  type dual
    real(8) :: a, b
  end type
  interface operator(*)
    module procedure times
  end interface
  interface operator(.dot.)
    module procedure dotted
  end interface
  interface power
    module procedure power_integer, power_real
  end interface
contains
  elemental function times(p, q) result(r)
    type(dual), intent(in) :: p, q
    type(dual) :: r
    r = dual(p%a * q%a, p%a * q%b + p%b * q%a)
  end function

  pure function dotted(p, q) result(r)
    real(8), intent(in) :: p(:), q(:)
    real(8) :: r
    r = sum(p * q)
  end function

  elemental function power_integer(x, n) result(y)
    real(8), intent(in) :: x
    integer, intent(in) :: n
    real(8) :: y
    y = x**n
  end function

  elemental function power_real(x, p) result(y)
    real(8), intent(in) :: x, p
    real(8) :: y
    y = x**p
  end function

  elemental subroutine damp(x, by)
    real(8), intent(inout) :: x
    real(8), intent(in) :: by
    x = x / (1 + by * x**2)
  end subroutine

  pure function outer(p, q) result(m)
    real(8), intent(in) :: p(:), q(:)
    real(8) :: m(size(p), size(q))
    integer :: j
    do j = 1, size(q)
      m(:, j) = p * q(j)
    end do
  end function

  function with_default(x, factor) result(y)
    real(8), intent(in) :: x
    real(8), intent(in), optional :: factor
    real(8) :: y
    y = x
    if (present(factor)) y = y * factor
  end function

  recursive function series(x, n) result(y)
    real(8), intent(in) :: x
    integer, intent(in) :: n
    real(8) :: y
    if (n == 0) then
      y = 1
    else
      y = 1 + x / n * series(x * 0.9d0, n - 1)
    end if
  end function

  function integral(g, a, b) result(s)
    interface
      function g(t)
        real(8), intent(in) :: t
        real(8) :: g
      end function
    end interface
    real(8), intent(in) :: a, b
    real(8) :: s
    integer :: i
    s = 0
    do i = 1, 8
      s = s + g(a + (b - a) * (i - 0.5d0) / 8) * (b - a) / 8
    end do
  end function

  function f(x) result(y)
    real(8), intent(in) :: x(3)
    real(8) :: y, v(3)
    type(dual) :: d(3)
    d = [dual(x(1), 1d0), dual(x(2), 2d0), dual(x(3), 3d0)]
    d = d * dual(x(2), x(3))
    v = power(x, 3) + power(abs(x), 1.5d0)
    call damp(v, x(1))
    v(1) = integral(inside, x(1), x(2))
    y = sum(d%a) + sum(d%b) * (v .dot. x) + sum(outer(v, x)) + with_default(x(1)) + with_default(x(2), x(3))
    y = y + series(x(3), 5)
  contains
    function inside(t) result(g)
      real(8), intent(in) :: t
      real(8) :: g
      g = sin(t * x(3)) + v(2)
    end function
  end function
end module

program main
  use check
  use algebra
  real(8) :: x(3) = [0.7d0, 1.1d0, -0.4d0], dx(3) = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  call finish()
end program
