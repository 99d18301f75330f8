! EZ0304: a number is written to a text in memory, and read from it.
module texts
  implicit none
contains
  function f(x) result(r)
    real(8) :: x(2), r, y
    character(40) :: text
    write (text, "(es25.17)") x(1) * x(2)
    read (text, *) y
    r = y * x(1)
  end function
end module

program main
  use check
  use texts
  implicit none
  real(8) :: x(2) = [0.5d0, 1.2d0], dx(2) = 0
  call autodiff(f, x, dx)
  call finish()
end program
