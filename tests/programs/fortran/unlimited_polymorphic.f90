! Values of class(*): real and integer numbers and derived types, as arguments, targets and allocated variables.
module stars
  implicit none
  type :: pair
    real(8) :: a, b
  end type
  type :: box
    class(*), allocatable :: v
  end type
contains
  real(8) function value_of(u)
    class(*), intent(in) :: u
    select type (u)
    type is (real(8))
      value_of = u * 2
    type is (integer)
      value_of = u
    type is (pair)
      value_of = u%a * u%b
    class default
      value_of = 0
    end select
  end function
  function f(x) result(y) bind(c)
    real(8), intent(inout) :: x(3)
    real(8) :: y
    class(*), allocatable :: s
    class(*), pointer :: p
    type(pair), target :: q
    type(box) :: boxes(3)
    integer :: k
    y = value_of(x(1)) + value_of(3) + value_of(pair(x(1), x(2)))
    allocate(s, source=x(2) * x(3))
    y = y + value_of(s)**2
    deallocate(s)
    allocate(s, source=pair(x(1), x(3)))
    y = y + sin(value_of(s))
    q = pair(x(2), x(3))
    p => q
    y = y * value_of(p)
    allocate(boxes(1)%v, source=7)
    allocate(boxes(2)%v, source=x(1) * x(2))
    allocate(boxes(3)%v, source=q)
    do k = 1, 3
      y = y + value_of(boxes(k)%v) * x(k)
    end do
  end function
end module

program main
  use check
  use stars
  implicit none
  real(8) :: x(3), at(3) = [0.7d0, 1.1d0, -0.4d0], dx(3) = 0
  x = at
  call autodiff(f, x, dx)
  call compare("f", f, at, dx)
  call agree("f", fwddiff(f, (at), direction(at)), at, dx)
  call finish()
end program
