! Polymorphic components and variables that are allocated by the type of others, assigned, moved, and allocated again.
module shapes
  implicit none
  type, abstract :: shape
    real(8) :: s = 1
  contains
    procedure(area_i), deferred :: area
  end type
  type, extends(shape) :: disc
    real(8) :: r
    real(8), allocatable :: w(:)
  contains
    procedure :: area => disc_area
  end type
  type, extends(shape) :: box
    real(8) :: a, b
  contains
    procedure :: area => box_area
  end type
  abstract interface
    real(8) function area_i(self)
      import shape
      class(shape), intent(in) :: self
    end function
  end interface
  type holder
    class(shape), allocatable :: p
  end type
contains
  real(8) function disc_area(self)
    class(disc), intent(in) :: self
    disc_area = self%s * self%r**2 * sum(self%w)
  end function
  real(8) function box_area(self)
    class(box), intent(in) :: self
    box_area = self%s * self%a * self%b
  end function
  subroutine clone(from, to)
    class(shape), intent(in) :: from
    class(shape), allocatable, intent(out) :: to
    allocate(to, source=from)
  end subroutine
  subroutine mould(from, to)
    class(shape), intent(in) :: from
    class(shape), allocatable, intent(out) :: to
    allocate(to, mold=from)
  end subroutine
  real(8) function f(x) bind(c)
    real(8), intent(inout) :: x(3)
    class(shape), allocatable :: a, b
    type(holder) :: h(2)
    type(disc) :: d
    type(box) :: c
    integer :: i
    d%r = x(1); d%w = [x(2), x(3)*x(1)]
    c%a = x(2); c%b = x(3)
    call clone(d, a)
    f = a%area()
    call clone(c, b)
    f = f + b%area() * x(1)
    call mould(c, b)
    select type (b)
    type is (box)
      b%a = x(1) * x(3); b%b = x(2)
    end select
    f = f + b%area()
    h(1)%p = d
    allocate(h(2)%p, source=c)
    do i = 1, 2
      f = f + sin(h(i)%p%area())
    end do
    a = c
    f = f * a%area()
  end function
  real(8) function g(x) bind(c)
    real(8), intent(inout) :: x(3)
    class(shape), allocatable :: all(:), more(:), one
    type(holder) :: h, k
    integer :: i
    allocate(h%p, source=box(2d0, x(1), x(3)))
    k = h
    deallocate(h%p)
    h%p = disc(1d0, x(2), [x(1), x(3)])
    g = k%p%area() + h%p%area()
    allocate(one, source=k%p)
    call move_alloc(one, h%p)
    g = g * h%p%area()
    allocate(all(3), source=[box(1d0, x(1), x(2)), box(1d0, x(3), x(2)), box(x(2), x(2), x(2))])
    allocate(more(3), mold=all)
    select type (more)
    type is (box)
      do i = 1, 3
        more(i) = box(x(i), x(1), i * x(2))
      end do
    end select
    do i = 1, 3
      g = g + sin(all(i)%area()) * more(4 - i)%area()
    end do
  end function
end module

program main
  use check
  use shapes
  implicit none
  real(8) :: x(3), at(3) = [0.7d0, 1.1d0, -0.4d0], dx(3) = 0
  x = at
  call autodiff(f, x, dx)
  call compare("f", f, at, dx)
  call agree("f", fwddiff(f, (at), direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(g, x, dx)
  call compare("g", g, at, dx)
  call agree("g", fwddiff(g, (at), direction(at)), at, dx)
  call finish()
end program
