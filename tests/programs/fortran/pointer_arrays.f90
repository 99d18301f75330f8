! Pointers: to targets, to sections, swapped in a time loop, with other bounds, allocated, in a linked list.
module pointing
  implicit none
  type node
    real(8) :: value
    type(node), pointer :: next => null()
  end type
contains
  function swapped(x) result(y)
    real(8), intent(in) :: x(4)
    real(8), target :: first(4), second(4)
    real(8), pointer :: now(:), later(:), keep(:)
    real(8) :: y
    integer :: step
    first = x
    now => first
    later => second
    do step = 1, 5
      later(2:4) = 0.5d0 * (now(2:4) + now(1:3)**2)
      later(1) = now(4)
      keep => now
      now => later
      later => keep
    end do
    y = sum(now * x)
  end function

  function sections(x) result(y)
    real(8), intent(in) :: x(4)
    real(8), target :: m(2, 2)
    real(8), pointer :: row(:), flat(:), shifted(:)
    real(8) :: y
    m = reshape(x, [2, 2])
    row => m(2, :)
    row = row * 3
    flat(1:4) => m
    shifted(0:) => flat(3:4)
    shifted(0) = shifted(0) * shifted(1)
    y = sum(flat**2) + row(1)
    if (associated(row)) nullify(row)
    if (.not. associated(row)) allocate(row(3))
    row = x(2)
    y = y * sum(row)
    deallocate(row)
  end function

  function list(x) result(y)
    real(8), intent(in) :: x(3)
    real(8) :: y
    type(node), pointer :: head, here
    integer :: i
    nullify(head)
    do i = 1, 3
      allocate(here)
      here%value = x(i)**i
      here%next => head
      head => here
    end do
    y = 1
    do while (associated(head))
      y = y * head%value + 1
      here => head%next
      deallocate(head)
      head => here
    end do
  end function
end module

program main
  use check
  use pointing
  real(8) :: x(4) = [0.7d0, 1.1d0, -0.4d0, 0.9d0], dx(4)
  dx = 0
  call autodiff(swapped, x, dx)
  call compare("swapped", swapped, x, dx)
  call agree("swapped", fwddiff(swapped, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(sections, x, dx)
  call compare("sections", sections, x, dx)
  call agree("sections", fwddiff(sections, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(list, x, dx)
  call compare("list", list, x(1:3), dx(1:3))
  call agree("list", fwddiff(list, (x(1:3)), direction(x(1:3))), x(1:3), dx(1:3))
  call finish()
end program
