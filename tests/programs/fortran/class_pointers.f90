! Pointers to polymorphic values: allocated with the declared type, another type, a source or a mold; lists of them; and
! allocatables of another type than the declared one.
module shapes
  implicit none
  type :: shape
    real(8) :: size = 0
    real(8), allocatable :: weights(:)
    class(shape), pointer :: next => null()
  contains
    procedure :: value
    final :: count_shape
  end type
  type, extends(shape) :: block
    integer :: number = 1
  contains
    procedure :: value => value_of_block
  end type
  real(8), save :: gone = 0
contains
  real(8) function value(this)
    class(shape), intent(in) :: this
    value = this%size
    if (allocated(this%weights)) value = value + sum(this%weights**2)
  end function

  real(8) function value_of_block(this)
    class(block), intent(in) :: this
    value_of_block = this%number * this%shape%value()
  end function

  subroutine count_shape(this)
    type(shape), intent(inout) :: this
    gone = gone + this%size
  end subroutine

  real(8) function list(x)
    real(8), intent(in) :: x(4)
    class(shape), pointer :: head, p
    integer :: k
    nullify (head)
    gone = 0
    do k = 1, 4
      if (mod(k, 2) == 0) then
        allocate (p, source=block(size=x(k), weights=x(1:k), number=k))
      else
        allocate (p)
        p%size = x(k)
        p%weights = 2 * x(k:)
      end if
      p%next => head
      head => p
    end do
    list = 0
    do while (associated(head))
      list = list + head%value() * (list + 1) * 0.01d0
      p => head
      head => head%next
      deallocate (p)
    end do
    list = list + gone**2
  end function

  real(8) function values(x)
    real(8), intent(in) :: x(4)
    class(shape), pointer :: one, other, row(:)
    class(shape), allocatable :: own
    class(*), pointer :: any
    integer :: status
    allocate (block :: own)
    own%size = x(1)
    allocate (block :: one)
    one%size = x(2)
    select type (one)
    type is (block)
      one%number = 3
      one%weights = x * one%number
    end select
    allocate (other, mold=one)
    other%size = x(3) * own%value()
    allocate (row(2:4), source=one)
    row(3)%size = x(4)
    allocate (any, source=x(2))
    values = own%value() * one%value() + other%value() + sum(row(3)%weights) * row(3)%value() * row(4)%value()
    select type (any)
    type is (real(8))
      values = values * any
    end select
    deallocate (one, other, any)
    deallocate (row, stat=status)
    values = values + status
  end function
end module

program main
  use check
  use shapes
  real(8) :: x(4) = [0.7d0, 1.1d0, -0.4d0, 0.9d0], dx(4) = 0
  call autodiff(list, x, dx)
  call compare("list", list, x, dx)
  call agree("list", fwddiff(list, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(values, x, dx)
  call compare("values", values, x, dx)
  call agree("values", fwddiff(values, (x), direction(x)), x, dx)
  call finish()
end program
