! EZ0304: text is written over characters that hold the bytes of a number.
module storage
  implicit none
contains
  function f(x) result(r)
    real(8) :: x(2), r
    character(8) :: words
    words = transfer(x(1) * x(2), words)
    write (words, "(i8)") 77777777
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
