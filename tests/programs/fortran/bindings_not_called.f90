! A type has a procedure that packs its numbers' bits and integers into one buffer, and unpacks them. Nobody calls it, and
! a call of another binding with the same arguments does not reach it.
module shapes
  implicit none
  type, abstract :: shape
    integer :: calls = 0
    real(8) :: scale = 1
  contains
    procedure(of_buffer), deferred :: apply
    procedure(of_buffer), deferred :: unpack
  end type
  abstract interface
    subroutine of_buffer(this, x)
      import
      class(shape), intent(inout) :: this
      real(8), intent(inout) :: x(:)
    end subroutine
  end interface
  type, extends(shape) :: square
    integer :: order(2) = 2
  contains
    procedure :: apply => apply_square
    procedure :: unpack => unpack_square
  end type
  type, extends(shape) :: line
    real(8) :: offset = 0.5d0
  contains
    procedure :: apply => apply_line
    procedure :: unpack => unpack_line
  end type
contains
  subroutine apply_square(this, x)
    class(square), intent(inout) :: this
    real(8), intent(inout) :: x(:)
    this%order = this%order + this%calls
    x = this%scale * x**this%order(1)
  end subroutine

  subroutine unpack_square(this, x)
    class(square), intent(inout) :: this
    real(8), intent(inout) :: x(:)
    integer :: bounds(2), k
    bounds = transfer(x(1), bounds)
    this%order = bounds
    do k = 2, size(x)
      bounds = transfer(x(k), bounds)
      x(k) = transfer([bounds(1) + 1, ieor(bounds(2), this%order(2))], x(k))
    end do
  end subroutine

  subroutine apply_line(this, x)
    class(line), intent(inout) :: this
    real(8), intent(inout) :: x(:)
    x = this%scale * x + this%offset
  end subroutine

  subroutine unpack_line(this, x)
    class(line), intent(inout) :: this
    real(8), intent(inout) :: x(:)
    this%calls = nint(x(1))
  end subroutine

  subroutine change(this, x)
    class(shape), intent(inout) :: this
    real(8), intent(inout) :: x(:)
    this%scale = this%scale * x(2)
    call this%apply(x)
  end subroutine

  real(8) function f(x) result(y)
    real(8), intent(in) :: x(4)
    class(shape), allocatable :: first, second
    real(8) :: z(4)
    allocate (square :: first)
    allocate (line :: second)
    z = x
    call change(first, z)
    call change(second, z)
    y = sum(z) + first%scale * second%scale
  end function
end module

program bindings_not_called
  use check
  use shapes
  implicit none
  real(8) :: x(4) = [0.3d0, 0.5d0, 0.7d0, 0.2d0], dx(4) = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  call finish()
end program
