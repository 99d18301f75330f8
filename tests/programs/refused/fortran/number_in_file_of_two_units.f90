! EZ0304: a number is written to a file by one unit, and read again by another.
! expect: reason: it writes a number that carries a derivative to a text or file, from which numbers are read
module two_units
  implicit none
contains
  function f(x) result(r)
    real(8) :: x(2), r, y
    open (11, file="number.dat", form="unformatted", status="replace")
    write (11) x(1) * x(2)
    close (11)
    open (12, file="number.dat", form="unformatted", status="old")
    read (12) y
    close (12)
    r = y * x(1)
  end function
end module

program main
  use check
  use two_units
  implicit none
  real(8) :: x(2) = [0.5d0, 1.2d0], dx(2) = 0
  call autodiff(f, x, dx)
  call finish()
end program
