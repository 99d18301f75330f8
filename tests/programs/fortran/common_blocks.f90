! COMMON: shared between routines under different names and shapes, set by BLOCK DATA.
function f(x) result(y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8) :: y, a, b(2), c
  common /shared/ a, b, c
  a = x(1) * x(2)
  b = [x(2), x(3) + c]
  call advance
  y = a + b(1) * b(2)
end function

subroutine advance
  implicit none
  real(8) :: v(3), c
  common /shared/ v, c
  v(1) = v(1) * v(3)
  v(2) = sin(v(2)) * c
end subroutine

block data
  implicit none
  real(8) :: v(3), c
  common /shared/ v, c
  data v /3 * 0d0/, c /1.5d0/
end block data

program main
  use check
  real(8), external :: f
  real(8) :: x(3) = [0.8d0, 1.3d0, -0.4d0], dx(3) = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call finish()
end program
