! EZ0304: the bytes of a number are characters that one statement writes to a text, and another one reads.
! expect: reason: it writes a number that carries a derivative to a text or file, from which numbers are read
module texts
  implicit none
contains
  function f(x) result(r)
    real(8) :: x(2), r
    character(:), allocatable :: both
    character(8) :: one, again
    both = transfer([x(1), x(1) * x(2)], repeat(" ", 16))
    one = both(9:16)
    write (again, "(a)") one
    r = transfer(again, r) * x(1)
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
