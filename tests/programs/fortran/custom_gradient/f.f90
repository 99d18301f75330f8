function f(x) bind(c) result(z)
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine cube(x, y) bind(c)
      import :: c_double
      real(c_double), intent(in) :: x(3)
      real(c_double), intent(out) :: y
    end subroutine
  end interface
  real(c_double) :: x(3), z, y
  call cube(x, y)
  z = y * x(1)
end function
