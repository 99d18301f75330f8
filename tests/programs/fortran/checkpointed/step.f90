! Its callers are in another file: flang's bitcode is written after inlining.
subroutine advance(u, n, rate, t) bind(c)
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int), intent(in) :: n, t
  real(c_double), intent(inout) :: u(n)
  real(c_double), intent(in) :: rate
  real(c_double) :: old(n)
  integer :: i
  old = u
  do i = 1, n
    u(i) = old(i) + 0.07d0 * rate * sin(old(mod(i, n) + 1)) * old(i) + 0.01d0 * mod(t, 3)
  end do
end subroutine
