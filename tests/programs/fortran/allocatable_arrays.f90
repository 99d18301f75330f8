! Allocatable arrays: allocated, allocated by assignment, resized by it, moved, freed by hand and at the end of scope.
module memory
  implicit none
contains
  function f(x) result(y)
    real(8), intent(in) :: x(4)
    real(8) :: y
    real(8), allocatable :: a(:), b(:), m(:, :)
    integer :: i
    allocate(a(4), m(2, 2))
    a = x**2
    b = a(1:2)
    y = sum(b)
    b = [b, a(3) * a(4), x(1)]
    m = reshape(a, [2, 2])
    do i = 1, 3
      b = [b, b(size(b)) * x(2)]
    end do
    call move_alloc(b, a)
    if (.not. allocated(b)) y = y + sum(a) * m(2, 1)
    deallocate(a)
    allocate(a, source=x)
    y = y + sum(a * a)
  end function

  function g(x) result(y)
    real(8), intent(in) :: x(2)
    real(8) :: y
    real(8), allocatable :: s
    s = x(1)
    call grow(s, x(2))
    call grow(s, x(2))
    y = s
  end function

  subroutine grow(s, by)
    real(8), allocatable, intent(inout) :: s
    real(8), intent(in) :: by
    s = s * by + 1
  end subroutine
end module

program main
  use check
  use memory
  real(8) :: x(4) = [0.7d0, 1.1d0, -0.4d0, 2d0], dx(4) = 0, z(2) = [1.5d0, 0.3d0], dz(2) = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  call autodiff(g, z, dz)
  call compare("g", g, z, dz)
  call agree("g", fwddiff(g, (z), direction(z)), z, dz)
  call finish()
end program
