! Array constructors of arrays whose elements own memory: each element is copied with what it owns.
module lists
  implicit none
  type :: item
    real(8), allocatable :: v(:)
    integer :: n
  end type
contains
  function f(x) result(y) bind(c)
    real(8), intent(inout) :: x(3)
    real(8) :: y
    type(item), allocatable :: p(:), q(:)
    integer :: i
    allocate(p(2))
    do i = 1, 2
      allocate(p(i)%v(i + 1))
      p(i)%v = x(i)
      p(i)%n = i
    end do
    q = p
    q(1)%v = q(1)%v * x(3)
    p = [p, q, item(x, 3)]
    q(2)%v = 0
    y = 0
    do i = 1, size(p)
      y = y + sum(p(i)%v**2) * p(i)%n * i
    end do
  end function
end module

program main
  use check
  use lists
  implicit none
  real(8) :: x0(3) = [0.7d0, 1.3d0, 0.4d0], x(3), dx(3)
  x = x0
  dx = 0
  call autodiff(f, x, dx)
  call compare("f", f, x0, dx)
  call agree("f", fwddiff(f, (x0), direction(x0)), x0, dx)
  call finish()
end program
