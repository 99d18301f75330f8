! Pointers: to targets, to sections, swapped in a time loop, with other bounds, allocated.
module pointing
  implicit none
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
end module

program main
  use check
  use pointing
  real(8) :: x(4) = [0.7d0, 1.1d0, -0.4d0, 0.9d0], dx(4)
  dx = 0
  call autodiff(swapped, x, dx)
  call compare("swapped", swapped, x, dx)
  dx = 0
  call autodiff(sections, x, dx)
  call compare("sections", sections, x, dx)
  call finish()
end program
