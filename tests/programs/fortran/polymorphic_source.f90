! Polymorphic variables that are allocated with the type and the value of others.
module shapes
  implicit none
  type, abstract :: shape
    real(8) :: factor = 1
  contains
    procedure(area_of), deferred :: area
  end type
  abstract interface
    real(8) function area_of(this, a)
      import shape
      class(shape), intent(in) :: this
      real(8), intent(in) :: a
    end function
  end interface
  type, extends(shape) :: box
    real(8) :: w, h
  contains
    procedure :: area => area_of_box
  end type
  type, extends(shape) :: disk
    real(8) :: r
  contains
    procedure :: area => area_of_disk
  end type
contains
  real(8) function area_of_box(this, a)
    class(box), intent(in) :: this
    real(8), intent(in) :: a
    area_of_box = this%w * this%h * a * this%factor
  end function
  real(8) function area_of_disk(this, a)
    class(disk), intent(in) :: this
    real(8), intent(in) :: a
    area_of_disk = 3.14d0 * this%r**2 * a + this%factor
  end function
  function f(x) result(y) bind(c)
    real(8), intent(inout) :: x(3)
    real(8) :: y
    class(shape), allocatable :: s
    integer :: i
    y = 0
    do i = 1, 4
      if (mod(i, 2) == 0) then
        allocate(s, source=box(1.5d0, x(1), x(2) * i))
      else
        allocate(s, source=disk(x(2), x(3)))
      end if
      select type (s)
      type is (box)
        s%w = s%w * x(2)
      end select
      y = y * 0.5d0 + s%area(x(2))
      deallocate(s)
    end do
  end function
end module

program main
  use check
  use shapes
  real(8) :: x(3), at(3) = [0.7d0, 1.1d0, -0.4d0], dx(3) = 0
  x = at
  call autodiff(f, x, dx)
  call compare("f", f, at, dx)
  call agree("f", fwddiff(f, (at), direction(at)), at, dx)
  call finish()
end program
