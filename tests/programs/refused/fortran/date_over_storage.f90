! EZ0304: the date is written over integers that hold the bits of numbers.
module storage
  implicit none
contains
  function f(x) result(r)
    real(8) :: x(2), r
    integer(8) :: words(8)
    words = transfer([x, x, x, x], words)
    call date_and_time(values=words)
    r = transfer(words, r) * x(1)
  end function
end module

program main
  use check
  use storage
  implicit none
  real(8) :: x(2) = [0.5d0, 1.2d0], dx(2) = 0
  call autodiff(f, x, dx)
  call finish()
end program
