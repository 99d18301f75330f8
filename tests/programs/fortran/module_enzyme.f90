! The module that is shipped: markers, and the generic interfaces for gradients, adjoints and directional derivatives.
module functions
  implicit none
contains
  function f(x) result(y)
    real(8), intent(in) :: x(2)
    real(8) :: y
    y = x(1)**2 * sin(x(2))
  end function

  function single(x) result(y)
    real(4), intent(in) :: x(2)
    real(4) :: y
    y = x(1)**2 * x(2)
  end function

  function sized(n, x) result(y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: y
    y = product(x)
  end function

  subroutine squares(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y(2)
    y = x**2
  end subroutine
end module

program main
  use check
  use enzyme
  use functions
  real(8) :: x(2) = [2d0, 0.5d0], dx(2) = 0, y(2), dy(2) = [1d0, 10d0]
  real(4) :: s(2) = [2.0, 0.5], ds(2) = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  call same("directional", fwddiff(f, x, [1d0, 0d0]), dx(1))
  dx = 0
  call autodiff(sized, enzyme_const, 2, x, dx)
  call same("sized 1", dx(1), x(2))
  call same("sized 2", dx(2), x(1))
  call autodiff(single, s, ds)
  call same("single", real(ds(1), 8), 2d0)
  dx = 0
  call autodiff(squares, x, dx, y, dy)
  call same("adjoint 1", dx(1), 4d0)
  call same("adjoint 2", dx(2), 10d0)
  call finish()
end program
