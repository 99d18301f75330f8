! Structure constructors of a type with an allocatable component: what they made is destroyed once it has been copied.
module owners
  implicit none
  type owner
    real(8) :: w
    real(8), allocatable :: h(:)
  end type
contains
  function f(x) result(y) bind(c)
    real(8), intent(inout) :: x(4)
    real(8) :: y
    type(owner) :: o, several(2)
    integer :: i
    o = owner(x(1), x(2:4))
    y = o%w * sum(o%h)
    do i = 1, 2
      o = owner(x(2) * i, x(1:3) * x(4))
      several(i) = o
      y = y + o%w * sum(o%h**2)
    end do
    y = y + several(1)%h(2) * several(2)%w
  end function
end module

program main
  use check
  use owners
  real(8) :: x(4), at(4) = [0.7d0, 1.1d0, -0.4d0, 1.9d0], dx(4) = 0
  x = at
  call autodiff(f, x, dx)
  call compare("f", f, at, dx)
  call agree("f", fwddiff(f, (at), direction(at)), at, dx)
  call finish()
end program
