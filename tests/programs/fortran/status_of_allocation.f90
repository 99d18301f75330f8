! `stat=` tells that an array was not allocated, or was allocated already: nothing is freed or allocated then.
module functions
  implicit none
  type work
    real(8), allocatable :: a(:), b(:)
    real(8), pointer :: p(:) => null()
  end type
contains
  subroutine destroy(w, failed)
    class(work), intent(inout) :: w
    integer, intent(out) :: failed
    integer :: status
    deallocate(w%a, stat=status)
    failed = merge(1, 0, status /= 0)
    deallocate(w%b, stat=status)
    failed = failed + merge(2, 0, status /= 0)
    deallocate(w%p, stat=status)
    failed = failed + merge(4, 0, status /= 0)
  end subroutine

  real(8) function f(x) result(y)
    real(8), intent(in) :: x(6)
    type(work) :: w
    integer :: failed(3), status
    call destroy(w, failed(1))
    allocate(w%a(3), w%p(2))
    allocate(w%a(4), stat=status)
    w%a = x(1:3)**2
    w%p = w%a(1:2) * x(4:5)
    y = sum(w%p) + w%a(3) * size(w%a) * status
    call destroy(w, failed(2))
    allocate(w%b(2))
    w%b = x(5:6)
    y = y * failed(1) + failed(2) * product(w%b)
    call destroy(w, failed(3))
    y = y * failed(3)
  end function
end module

program status_of_allocation
  use check
  use functions
  implicit none
  real(8) :: x(6) = [1.1d0, 0.3d0, 0.7d0, 0.5d0, 1.15d0, 0.25d0], dx(6) = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  call finish()
end program
