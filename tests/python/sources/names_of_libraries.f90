! functions and a variable with names of libm's and libc's
module names
  use iso_c_binding
  implicit none
  real(c_double), bind(C, name="daylight") :: factor = 2
contains
  real(c_double) function j0(x) bind(C)
    real(c_double), intent(in) :: x
    j0 = factor * y1(x)
  end function
  real(c_double) function y1(x) bind(C)
    real(c_double), intent(in) :: x
    y1 = 3 * x * x
  end function
end module
