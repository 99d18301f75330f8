! Work space that was allocated before f is differentiated, or by f when it ran as it is: components of a variable of a
! module, two arrays that change places, and pointers into one array.
module kept
  implicit none
  type solver
    integer :: n = 0
    real(8), allocatable :: u(:), square(:, :)
    integer, allocatable :: order(:)
  end type
  type(solver) :: s
  real(8), allocatable :: now(:), before(:), spare(:)
  real(8), pointer :: all_of_it(:) => null(), second_half(:) => null()
contains
  subroutine prepare(n)
    integer, intent(in) :: n
    integer :: i
    if (s%n /= n) then
      if (allocated(s%u)) deallocate(s%u, s%square, s%order)
      allocate(s%u(n), s%square(n, n), s%order(n))
      s%n = n
      s%order = [(1 + mod(7 * i, n), i = 1, n)]
    end if
    if (allocated(now)) deallocate(now, before)
    allocate(now(n), before(n))
    if (associated(all_of_it)) deallocate(all_of_it)
    allocate(all_of_it(2 * n))
    second_half => all_of_it(n + 1:)
  end subroutine

  function in_components(x) result(y)
    real(8), intent(in) :: x(3)
    real(8) :: y
    integer :: i, j
    do i = 1, s%n
      s%u(s%order(i)) = sin(x(1) * i) + x(2)
    end do
    do j = 1, s%n
      do i = 1, s%n
        s%square(i, j) = s%u(i) * cos(s%u(j)) + x(3)
      end do
    end do
    y = sum(s%square * s%square) + dot_product(s%u, s%u)
  end function

  function swapped(x) result(y)
    real(8), intent(in) :: x(3)
    real(8) :: y
    integer :: i, t
    now = [(sin(x(1) * i), i = 1, size(now))]
    do t = 1, 3
      do i = 1, size(now)
        before(i) = now(i) + x(2) * now(1 + mod(i, size(now)))
      end do
      call move_alloc(now, spare)
      call move_alloc(before, now)
      call move_alloc(spare, before)
    end do
    y = sum(now**2) * x(3)
  end function

  function in_halves(x) result(y)
    real(8), intent(in) :: x(3)
    real(8) :: y
    integer :: i
    do i = 1, size(all_of_it)
      all_of_it(i) = x(1) * i + x(2)
    end do
    second_half = second_half * x(3)
    y = dot_product(all_of_it, all_of_it)
  end function
end module

program main
  use check
  use kept
  real(8) :: x(3) = [0.4d0, -0.7d0, 1.1d0], dx(3), y
  integer :: n
  do n = 3, 5
    call prepare(n)
    y = in_components(x) + swapped(x) + in_halves(x)
    write (*, '(a, 3f8.3)') 'before: ', maxval(now), sum(s%square), all_of_it(1)
    print *, now
    dx = 0
    call autodiff(in_components, x, dx)
    call compare("in_components", in_components, x, dx)
    call agree("in_components", fwddiff(in_components, (x), direction(x)), x, dx)
    dx = 0
    call autodiff(swapped, x, dx)
    call compare("swapped", swapped, x, dx)
    call agree("swapped", fwddiff(swapped, (x), direction(x)), x, dx)
    dx = 0
    call autodiff(in_halves, x, dx)
    call compare("in_halves", in_halves, x, dx)
    call agree("in_halves", fwddiff(in_halves, (x), direction(x)), x, dx)
  end do
  call finish()
end program
