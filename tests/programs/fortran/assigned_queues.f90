! A type that defines its assignment: growing queues, copied by it, in temporaries and in allocatable arrays.
module queues
  implicit none
  type :: queue
    real(8), allocatable :: items(:)
    integer :: first = 1, last = 0
  contains
    procedure :: put
    procedure :: get
    procedure :: copy
    generic :: assignment(=) => copy
  end type
contains
  subroutine put(self, v)
    class(queue), intent(inout) :: self
    real(8), intent(in) :: v
    real(8), allocatable :: grown(:)
    if (.not. allocated(self%items)) allocate(self%items(2))
    if (self%last == size(self%items)) then
      allocate(grown(2 * size(self%items)))
      grown(:self%last) = self%items
      call move_alloc(grown, self%items)
    end if
    self%last = self%last + 1
    self%items(self%last) = v
  end subroutine
  real(8) function get(self)
    class(queue), intent(inout) :: self
    get = self%items(self%first)
    self%first = self%first + 1
  end function
  subroutine copy(to, from)
    class(queue), intent(out) :: to
    class(queue), intent(in) :: from
    to%items = from%items(from%first:from%last)
    to%first = 1
    to%last = size(to%items)
  end subroutine
  real(8) function f(x) bind(c)
    real(8), intent(inout) :: x(4)
    type(queue) :: q, r
    type(queue), allocatable :: several(:)
    integer :: i
    do i = 1, 7
      call q%put(x(mod(i, 4) + 1) * i)
    end do
    f = q%get() * q%get()
    r = q
    call r%put(f)
    f = 0
    do while (r%first <= r%last)
      f = f * 0.5d0 + r%get() ** 2
    end do
    allocate(several(2))
    do i = 1, 2
      call several(i)%put(x(i) * f)
    end do
    f = several(1)%get() + several(2)%get() * x(3)
  end function
end module
program main
  use check
  use queues
  implicit none
  real(8) :: x(4) = [0.5d0, 1.2d0, 0.7d0, 0.3d0], dx(4)
  dx = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  call finish()
end program
