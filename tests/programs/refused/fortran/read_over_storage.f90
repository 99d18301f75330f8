! EZ0304: integers that hold the bits of a number are read from a text.
module storage
  implicit none
contains
  function f(x) result(r)
    real(8) :: x(2), r
    integer :: words(2)
    character(40) :: text
    words = transfer(x(1) * x(2), words)
    text = "0 1073217536"
    read (text, *) words
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
