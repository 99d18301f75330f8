! Components that are procedures, pointers and complex numbers, with initial values, in arrays that grow.
module rules_of_shape
  implicit none
  type rule
    procedure(cube), pointer, nopass :: apply => null()
    real(8), pointer :: at => null()
    complex(8) :: z = (1, 2)
  end type
contains
  real(8) function cube(x)
    real(8), intent(in) :: x
    cube = x**3
  end function

  real(8) function square(x)
    real(8), intent(in) :: x
    square = x**2
  end function

  function rules(x) result(y)
    real(8), intent(in) :: x(4)
    real(8), target :: place
    real(8) :: y
    type(rule) :: a, b, all(3)
    type(rule), allocatable :: more(:)
    integer :: k
    place = x(1) * x(2)
    a%apply => cube
    a%at => place
    b = a
    b%apply => square
    b%z = b%z * x(3)
    place = place + 1
    all = [a, b, a]
    more = all(1:2)
    more = [more, b]
    y = 0
    do k = 1, size(more)
      y = y + more(k)%apply(more(k)%at * k) * abs(more(k)%z) + x(4) * aimag(more(k)%z)
    end do
  end function
end module

program main
  use check
  use rules_of_shape
  real(8) :: x(4) = [0.7d0, 1.1d0, -0.4d0, 0.9d0], dx(4)
  dx = 0
  call autodiff(rules, x, dx)
  call compare("rules", rules, x, dx)
  call finish()
end program
