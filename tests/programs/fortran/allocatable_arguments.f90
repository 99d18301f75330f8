! Allocatable and pointer arguments whose memory is replaced: by move_alloc, by assignment of longer arrays, deallocated
! and allocated again, pointers exchanged. Afterwards, their shadows are what they were, with the derivative.
module replaced
  implicit none
  type buffers
    real(8), allocatable :: a(:)
    real(8), pointer :: now(:) => null(), later(:) => null()
  end type
contains
  real(8) function total(a)
    real(8), intent(in) :: a(:)
    integer :: i
    total = sum([(sin(a(i)) * i, i = 1, size(a))])
  end function

  real(8) function moved(a) result(r)
    real(8), allocatable, intent(inout) :: a(:)
    integer :: k
    do k = 1, 3
      call grow(a)
    end do
    r = total(a)
  end function

  subroutine grow(a)
    real(8), allocatable, intent(inout) :: a(:)
    real(8), allocatable :: longer(:)
    integer :: n
    n = size(a)
    allocate(longer(n + 3))
    longer(1:n) = a * cshift(a, 1)
    longer(n+1:) = a(1:3) * a(n)
    call move_alloc(longer, a)
  end subroutine

  real(8) function assigned(a) result(r)
    real(8), allocatable, intent(inout) :: a(:)
    a = [a, a * a, a(1) * a(2)]
    r = total(a)
  end function

  real(8) function allocated_again(a) result(r)
    real(8), allocatable, intent(inout) :: a(:)
    real(8) :: s
    s = a(1) * a(2) + a(3)**2 * a(4)
    deallocate(a)
    allocate(a(7), source=s)
    a(3) = s * s
    r = total(a)
    deallocate(a)
  end function

  real(8) function exchanged(b) result(r)
    type(buffers), intent(inout) :: b
    real(8), pointer :: t(:)
    integer :: k, i
    b%now(:) = b%a * b%a(4:1:-1)
    do k = 1, 5
      do i = 1, 4
        b%later(i) = sin(b%now(i)) * b%now(mod(i, 4) + 1)
      end do
      t => b%now
      b%now => b%later
      b%later => t
    end do
    b%a = [b%now, b%a(2) * b%now(1)]
    r = total(b%a)
  end function
end module

program allocatable_arguments
  use iso_c_binding
  use check, only: same, finish
  use replaced
  implicit none
  interface
    subroutine gradient(f, a, da) bind(C, name="__enzyme_autodiff_array")
      import
      type(c_funptr), value :: f
      real(8), allocatable :: a(:), da(:)
    end subroutine
    subroutine gradient_of_buffers(f, a, da) bind(C, name="__enzyme_autodiff_buffers")
      import
      type(c_funptr), value :: f
      type(c_ptr), value :: a, da
    end subroutine
  end interface
  abstract interface
    real(8) function of_array(a)
      real(8), allocatable, intent(inout) :: a(:)
    end function
  end interface
  real(8), parameter :: x(4) = [.3d0, .8d0, 1.1d0, .6d0], h = 1d-6
  real(8), allocatable :: a(:), d(:)
  type(buffers), target :: b, db, up, down
  integer :: i

  call begin()
  call gradient(c_funloc(moved), a, d)
  call compare("moved", moved)
  call begin()
  call gradient(c_funloc(assigned), a, d)
  call compare("assigned", assigned)
  call begin()
  call gradient(c_funloc(allocated_again), a, d)
  call compare("allocated again", allocated_again)

  call set(b, x)
  call set(db, 0 * x)
  call gradient_of_buffers(c_funloc(exchanged), c_loc(b), c_loc(db))
  call same("elements", real(size(db%a), 8), 4d0)
  do i = 1, 4
    call set(up, x + h * unit(i))
    call set(down, x - h * unit(i))
    call same("exchanged", db%a(i), (exchanged(up) - exchanged(down)) / (2 * h))
  end do
  call release(b)
  call release(db)
  call release(up)
  call release(down)
  call finish()

contains

  function unit(i) result(u)
    integer, intent(in) :: i
    real(8) :: u(4)
    u = 0
    u(i) = 1
  end function

  subroutine begin()
    a = x
    d = 0 * x
  end subroutine

  subroutine compare(name, f)
    character(*), intent(in) :: name
    procedure(of_array) :: f
    real(8), allocatable :: up(:), down(:)
    call same(name // ": elements", real(size(d), 8), 4d0)
    do i = 1, 4
      up = x + h * unit(i)
      down = x - h * unit(i)
      call same(name, d(i), (f(up) - f(down)) / (2 * h))
    end do
  end subroutine

  subroutine set(b, y)
    type(buffers), intent(inout) :: b
    real(8), intent(in) :: y(4)
    call release(b)
    b%a = y
    allocate(b%now(4), b%later(4), source=0d0)
  end subroutine

  subroutine release(b)
    type(buffers), intent(inout) :: b
    if (associated(b%now)) deallocate(b%now)
    if (associated(b%later)) deallocate(b%later)
  end subroutine
end program
