! Values of class(*) that are copied and moved, and recursive types of equal layout in one function.
module any_types
  implicit none
  type part
    real(8) :: c(2)
  end type
  type box
    class(*), allocatable :: v
  end type
  type outer
    type(box) :: inner
    real(8) :: w
  end type
  type node
    real(8) :: v
    type(node), pointer :: next => null()
  end type
  type tree
    real(8) :: k
    type(tree), allocatable :: l
  end type
  type many
    real(8) :: v
    type(many), allocatable :: c(:)
  end type
contains
  function number_in(v) result(r)
    class(*), intent(in) :: v
    real(8) :: r
    r = 0
    select type (v)
    type is (real(8))
      r = v
    type is (complex(8))
      r = abs(v)
    type is (part)
      r = v%c(1) * v%c(2)
    end select
  end function

  function copied(x) result(r)
    real(8), intent(in) :: x(4)
    real(8) :: r
    type(box) :: a, b, c(2), swapped
    type(outer) :: o, p
    a%v = x(1) * x(2)
    b = a
    c(1)%v = part([x(3), x(4)])
    c(2) = b
    swapped = c(1)
    c(1) = c(2)
    c(2) = swapped
    o%inner%v = cmplx(x(1), x(4), 8)
    o%w = x(2)
    p = o
    r = number_in(b%v)**2 + number_in(c(1)%v) * number_in(c(2)%v) + number_in(p%inner%v) * p%w
  end function

  function moved(x) result(r)
    real(8), intent(in) :: x(4)
    real(8) :: r
    class(*), allocatable :: a, b
    type(box) :: c
    b = 3
    a = x(1) * x(2)
    call move_alloc(a, b)
    a = b
    r = number_in(a) * number_in(b)
    b = part(x(2:3))
    call move_alloc(b, c%v)
    b = c%v
    r = r + number_in(b)**2 * number_in(c%v)
  end function

  function two_types(x) result(r)
    real(8), intent(in) :: x(4)
    real(8) :: r
    type(tree), allocatable :: t, u
    type(node), pointer :: first, second
    type(many) :: m
    allocate (t)
    t%k = x(1)
    allocate (t%l)
    t%l%k = x(2)
    u = t
    u%l%k = u%l%k * x(3)
    allocate (first, second)
    first%v = x(3)
    second%v = x(4)
    first%next => second
    m%v = x(1)
    allocate (m%c(2))
    m%c%v = x(3:4)
    r = u%k * u%l%k + t%l%k * first%v * first%next%v + m%v * m%c(1)%v * m%c(2)%v
    deallocate (second, first)
  end function
end module

program main
  use check
  use any_types
  implicit none
  real(8) :: x(4) = [0.7d0, 1.1d0, -0.4d0, 0.9d0], dx(4)
  dx = 0
  call autodiff(copied, x, dx)
  call compare("copied", copied, x, dx)
  call agree("copied", fwddiff(copied, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(moved, x, dx)
  call compare("moved", moved, x, dx)
  call agree("moved", fwddiff(moved, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(two_types, x, dx)
  call compare("two_types", two_types, x, dx)
  call agree("two_types", fwddiff(two_types, (x), direction(x)), x, dx)
  call finish()
end program
