! A type has a final procedure for scalars only: the elements of an array are not finalised.
! expect: differentiated code called _FortranAAllocatableAllocate in a way that cannot be differentiated
module ledgers
  implicit none
  type :: ledger
    real(8) :: amount = 0
  contains
    final :: settle
  end type
  real(8) :: total
contains
  subroutine settle(l)
    type(ledger), intent(inout) :: l
    total = total + l%amount
  end subroutine
  real(8) function f(x) bind(c)
    real(8), intent(inout) :: x(2)
    type(ledger), allocatable :: several(:)
    total = 1
    allocate(several(2))
    several%amount = x
    f = several(1)%amount * several(2)%amount
    deallocate(several)
    f = f * total
  end function
end module
program main
  use check
  use ledgers
  implicit none
  real(8) :: x(2) = [0.5d0, 1.2d0], dx(2) = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call finish()
end program
