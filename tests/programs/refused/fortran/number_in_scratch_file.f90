! EZ0304: a number is written to a file, and read again from the same unit.
! expect: reason: it writes a number that carries a derivative to a text or file, from which numbers are read
module scratch
  implicit none
contains
  function f(x) result(r)
    real(8) :: x(2), r, y
    open (10, status="scratch", form="unformatted")
    write (10) x(1) * x(2)
    rewind (10)
    read (10) y
    close (10)
    r = y * x(1)
  end function
end module

program main
  use check
  use scratch
  implicit none
  real(8) :: x(2) = [0.5d0, 1.2d0], dx(2) = 0
  call autodiff(f, x, dx)
  call finish()
end program
