subroutine cube(x, y) bind(c)
  use, intrinsic :: iso_c_binding
  implicit none
  real(c_double), intent(in) :: x
  real(c_double), intent(out) :: y
  y = x**3
end subroutine

function f(x) bind(c) result(z)
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine cube(x, y) bind(c)
      import :: c_double
      real(c_double), intent(in) :: x
      real(c_double), intent(out) :: y
    end subroutine
  end interface
  real(c_double) :: x, z
  call cube(x, z)
end function
