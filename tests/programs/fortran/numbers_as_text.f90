! Numbers that are written to an internal unit and read again are constants; all other numbers keep their derivatives.
module text
  implicit none
contains
  function f(x) result(y)
    real(8), intent(in) :: x(2)
    real(8) :: y, t
    character(30) :: digits
    write (digits, *) x(1)
    read (digits, *) t
    y = t * x(2)**2 + x(1)
  end function
end module

program main
  use check
  use text
  real(8) :: x(2) = [0.7d0, 1.1d0], dx(2) = 0
  call autodiff(f, x, dx)
  call same("through text", dx(1), 1d0)
  call same("beside text", dx(2), 2 * x(1) * x(2))
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  call finish()
end program
