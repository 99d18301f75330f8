! EZ0304: the halves of numbers are kept in two arrays of integers, and put together again.
module halves
  implicit none
contains
  function f(x) result(r)
    real(8) :: x(2), r
    integer :: low(2), high(2), words(2), i
    do i = 1, 2
      words = transfer(x(i)**2, words)
      low(i) = words(1)
      high(i) = words(2)
    end do
    r = 1
    do i = 1, 2
      r = r * transfer([low(i), high(i)], r)
    end do
  end function
end module

program main
  use check
  use halves
  implicit none
  real(8) :: x(2) = [0.5d0, 1.2d0], dx(2) = 0
  call autodiff(f, x, dx)
  call finish()
end program
