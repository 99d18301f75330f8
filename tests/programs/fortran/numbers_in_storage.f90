! Numbers whose bytes are moved as characters and integers, by transfer: texts that are joined, adjusted and repeated,
! arrays of characters, lists of integer arrays, and texts without numbers beside them.
module lists
  implicit none
  type node
    integer, pointer :: data(:) => null()
    type(node), pointer :: next => null()
  end type
  type record
    real(8) :: a
    integer :: k
    real(4) :: b
    real(8) :: v(2)
  end type
  integer, allocatable :: mold(:)
contains
  subroutine push(list, data)
    type(node), pointer :: list, made
    integer, intent(in) :: data(:)
    allocate (made)
    allocate (made%data(size(data)))
    made%data = data
    made%next => list
    list => made
  end subroutine

  real(8) function listed(x)
    real(8), intent(in) :: x(4)
    type(node), pointer :: list, gone
    type(record) :: r
    integer :: i
    list => null()
    do i = 1, 3
      call push(list, transfer(record(x(i), i, 2., [x(i), x(4)]), mold))
    end do
    listed = 0
    do while (associated(list))
      r = transfer(list%data, r)
      listed = listed + r%a * r%k + r%b * r%v(1) * r%v(2)
      gone => list
      list => list%next
      deallocate (gone%data)
      deallocate (gone)
    end do
  end function
end module

module texts
  implicit none
  character(8) :: kept
  type species
    character(8) :: name
    real(8) :: mass
    character(:), allocatable :: label
  end type
contains
  function as_text(y) result(s)
    real(8), intent(in) :: y
    character(8) :: s
    s = transfer(y, s)
  end function

  real(8) function joined(x)
    real(8), intent(in) :: x(4)
    character(:), allocatable :: t
    real(8) :: y(2)
    integer :: i
    t = ''
    do i = 1, 4
      t = t // as_text(x(i) * i)
    end do
    t = 'head' // t // 'tail'
    kept = t(13:20)
    y = transfer(repeat(t(5:12), 2), y)
    joined = transfer(kept, y(1)) * transfer(t(21:28), y(1)) + sum(y) + transfer(trim(adjustl(t(29:36))), y(1))**2
  end function

  real(8) function in_arrays(x)
    real(8), intent(in) :: x(4)
    character(1) :: c(16)
    character(8) :: s(2), t(2)
    character(16) :: both(2)
    character(8), allocatable :: a(:)
    integer :: i
    c = transfer(x(1:2)**2, c)
    s(1) = transfer(c(1:8), s(1))
    c(1:8) = [(s(1)(i:i), i = 1, 8)]
    s = cshift(transfer(c, s), 1)
    t = merge(s, [character(8) :: 'a', 'b'], [.true., .true.])
    a = [t, s(2:1:-1)]
    both = pack(a, [.true., .false., .false., .true.])
    in_arrays = transfer(a(1), x(1)) * transfer(a(3), x(1)) + sum(transfer(both(1), x)) * transfer(both(2)(1:8), x(1))
    both = reshape([both(2), both(1)], [2])
    in_arrays = in_arrays * transfer(both(1), x(1))
  end function

  real(8) function beside(x)
    real(8), intent(in) :: x(4)
    type(species) :: s(3), t
    character(8) :: names(3), key
    integer :: i
    names = ['oxygen ', 'argon  ', 'helium ']
    do i = 1, 3
      s(i)%name = names(i)
      s(i)%mass = x(i)
      s(i)%label = trim(names(i)) // '_gas'
    end do
    t = s(2)
    names = cshift(names, 1)
    key = adjustl(adjustr(names(2)))
    beside = 0
    do i = 1, 3
      if (s(i)%name == key) beside = beside + s(i)%mass**2
      if (s(i)%label == t%label) beside = beside + s(i)%mass
    end do
  end function
end module

! Two transfers in a row, of which the first descriptor is the second's source.
real(8) function in_turn(x) result(y)
  real(8) :: x(4), back(4), pair(2)
  complex(8) :: z(2)
  integer(8) :: words(4)
  z = transfer(x * x, z)
  back = transfer(z, back)
  words = transfer(x, words)
  pair = transfer(words(4:1:-2), pair)
  y = back(1) * back(4) + pair(1) * pair(2)
end function

real(8) function f(x)
  use texts
  use lists
  real(8), external :: in_turn
  real(8) :: x(4)
  f = joined(x) + in_arrays(x) + beside(x) + in_turn(x) + listed(x)
end function

program main
  use check
  real(8), external :: f
  real(8) :: x(4) = [1.3d0, 0.7d0, 2.1d0, 0.4d0], dx(4) = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  call finish()
end program
