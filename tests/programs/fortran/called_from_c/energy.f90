function energy(x, n) result(e) bind(c)
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: e
  integer :: i
  interface
    function potential(r) bind(c)
      import :: c_double
      real(c_double), value :: r
      real(c_double) :: potential
    end function
  end interface
  e = 0
  do i = 2, n
    e = e + potential(x(i) - x(i - 1)) * x(i)
  end do
end function
