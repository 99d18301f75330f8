! A type extends one with a final procedure for scalars: what happens to the elements of an array when it is deallocated.
module m
  implicit none
  type :: base
    real(8) :: a = 0
  contains
    final :: settle
  end type
  type, extends(base) :: more
    real(8) :: b = 0
  end type
  real(8) :: total
contains
  subroutine settle(l)
    type(base), intent(inout) :: l
    total = total + l%a
  end subroutine
  real(8) function f(x) bind(c)
    real(8), intent(inout) :: x(2)
    type(more), allocatable :: several(:)
    total = 1
    allocate(several(2))
    several%a = x
    several%b = 2
    f = several(1)%a * several(2)%a
    deallocate(several)
    f = f * total
  end function
end module
program main
  use check
  use m
  implicit none
  real(8) :: x(2) = [0.5d0, 1.2d0], dx(2) = 0
  print *, f(x)
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call finish()
end program
