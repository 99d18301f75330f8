! Final procedures: of local and allocated variables, of components and parents, elemental ones, and at assignments.
module fins
  implicit none
  type :: box
    real(8), pointer :: p(:) => null()
  contains
    final :: done
  end type
  type :: ledger
    real(8), pointer :: total => null()
    real(8) :: amount = 0
  contains
    final :: settle
  end type
  type, extends(ledger) :: account
    type(box) :: b
    real(8), allocatable :: rates(:)
  contains
    final :: close_account
  end type
  type :: holder
    class(ledger), allocatable :: l
  end type
  integer :: count = 0
contains
  subroutine done(b)
    type(box), intent(inout) :: b
    count = count + 1
    if (associated(b%p)) deallocate(b%p)
  end subroutine
  impure elemental subroutine settle(l)
    type(ledger), intent(inout) :: l
    if (associated(l%total)) l%total = l%total * 0.9d0 + l%amount
    count = count + 1
  end subroutine
  subroutine close_account(a)
    type(account), intent(inout) :: a
    a%amount = a%amount * sum(a%rates)
  end subroutine
  real(8) function local(x, k)
    real(8), intent(in) :: x(3)
    integer, intent(in) :: k
    type(box) :: b
    allocate(b%p(2))
    b%p = [x(1) * k, x(2)]
    local = b%p(1) * b%p(2) * x(3)
  end function
  real(8) function f(x) bind(c)
    real(8), intent(inout) :: x(3)
    type(box), allocatable :: a
    integer :: k
    f = 0
    do k = 1, 3
      f = f + sin(local(x, k))
      allocate(a)
      allocate(a%p(3))
      a%p = x * f
      f = f + sum(a%p)
      deallocate(a)
    end do
  end function
  subroutine spend(total, x)
    real(8), target, intent(inout) :: total
    real(8), intent(in) :: x(3)
    type(ledger) :: several(2)
    type(account) :: own
    type(holder) :: h
    several(1)%total => total; several(1)%amount = x(1)
    several(2)%total => total; several(2)%amount = x(1) * x(3)
    own%total => total; own%amount = x(2)
    allocate(own%b%p(1), own%rates(2))
    own%rates = [x(3), 2 * x(1)]
    allocate(h%l, source=several(1))
    several(1) = ledger(null(), x(2))
  end subroutine
  real(8) function g(x) bind(c)
    real(8), intent(inout) :: x(3)
    real(8), target :: total
    total = x(1) * x(2)
    call spend(total, x)
    call spend(total, x * x)
    g = total * x(3)
  end function
end module

program main
  use check
  use fins
  implicit none
  real(8) :: x(3), at(3) = [0.7d0, 1.1d0, -0.4d0], dx(3) = 0
  x = at
  call autodiff(f, x, dx)
  call compare("f", f, at, dx)
  call agree("f", fwddiff(f, (at), direction(at)), at, dx)
  x = at; dx = 0
  count = 0
  call autodiff(g, x, dx)
  call same("finalised once", real(count, 8), 12d0)
  call compare("g", g, at, dx)
  call agree("g", fwddiff(g, (at), direction(at)), at, dx)
  call finish()
end program
