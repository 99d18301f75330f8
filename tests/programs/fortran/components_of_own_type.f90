! A type that holds itself in allocatable components: inserted into, copied, moved, allocated from a source.
module deep
  implicit none
  type tree
    real(8) :: value = 0
    type(tree), allocatable :: left, right
  end type
contains
  recursive subroutine insert(t, value)
    type(tree), allocatable, intent(inout) :: t
    real(8), intent(in) :: value
    if (.not. allocated(t)) then
      allocate(t)
      t%value = value
    else if (value < t%value) then
      call insert(t%left, value)
    else
      call insert(t%right, value)
    end if
  end subroutine

  recursive function total(t, depth) result(y)
    type(tree), intent(in) :: t
    integer, intent(in) :: depth
    real(8) :: y
    y = t%value**depth
    if (allocated(t%left)) y = y + total(t%left, depth + 1) * t%value
    if (allocated(t%right)) y = y - total(t%right, depth + 1)
  end function

  function trees(x) result(y)
    real(8), intent(in) :: x(4)
    real(8) :: y
    type(tree), allocatable :: root, copy
    integer :: k
    do k = 1, 4
      call insert(root, x(k))
    end do
    copy = root
    copy%value = copy%value * x(2)
    call move_alloc(root, copy%right)
    allocate(root, source=copy)
    root%right%value = x(3)**2
    y = total(copy, 1) * total(root, 2)
  end function
end module

program main
  use check
  use deep
  real(8) :: x(4) = [0.7d0, 1.1d0, -0.4d0, 0.9d0], dx(4)
  dx = 0
  call autodiff(trees, x, dx)
  call compare("trees", trees, x, dx)
  call agree("trees", fwddiff(trees, (x), direction(x)), x, dx)
  call finish()
end program
