! Derived types with a kind as their parameter: copied, allocated in part, passed by their type.
module matrices
  implicit none
  type matrix(k)
    integer, kind :: k = 8
    real(k) :: a(2, 2) = 0
    real(k), allocatable :: more(:)
  end type
contains
  real(8) function measure(m) result(r)
    type(matrix(8)), intent(in) :: m
    r = m%a(1, 1) * m%a(2, 2) + sum(m%more**2)
  end function

  real(8) function measure_single(m) result(r)
    type(matrix(4)), intent(in) :: m
    r = m%a(1, 2) * real(m%a(1, 2), 8)
  end function

  real(8) function f(x) result(r)
    real(8), intent(in) :: x(4)
    type(matrix(8)) :: m, n
    type(matrix(4)) :: s
    m%a = reshape(x, [2, 2])
    m%more = x * x(1)
    n = m
    n%a(1, 1) = n%a(1, 1)**2
    s%a = 0.5
    r = measure(m) + measure(n) * x(2) + measure_single(s) * x(3)
  end function
end module

program main
  use check
  use matrices
  real(8) :: x(4) = [1.3d0, 0.7d0, 2.1d0, 0.4d0], dx(4) = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  call finish()
end program
