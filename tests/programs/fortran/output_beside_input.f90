! Numbers with derivatives are printed, and others are read from a scratch file and from a text.
module parameters
  implicit none
contains
  function f(x) result(r)
    real(8) :: x(2), r, y, z
    character(40) :: text
    text = "2.5"
    read (text, *) z
    print *, x(1) * x(2)
    write (*, *) x
    open (10, status="scratch", form="unformatted")
    write (10) 1.5d0
    rewind (10)
    read (10) y
    close (10)
    r = y * x(1) * x(2) + z * x(1)
  end function
end module

program main
  use check
  use parameters
  implicit none
  real(8) :: x(2) = [0.5d0, 1.2d0], dx(2) = 0
  call autodiff(f, x, dx)
  call compare("f", f, [0.5d0, 1.2d0], dx)
  call agree("f", fwddiff(f, (x), direction(x)), [0.5d0, 1.2d0], dx)
  call finish()
end program
