! A component of a table behind a module variable is associated with the argument of f.
! expect: points at memory that carries a derivative under another name
module tables
  implicit none
  type :: view
    real(8), pointer :: numbers(:)
  end type
  type :: table
    type(view), pointer :: views(:)
  end type
  type(table) :: all
contains
  real(8) function f(x) bind(c)
    real(8), intent(in) :: x(3)
    f = sum(all%views(2)%numbers) * x(1)
  end function
end module
program main
  use check
  use tables
  implicit none
  real(8), target :: x(3) = [0.5d0, 1.2d0, 2d0], dx(3) = 0
  allocate(all%views(2))
  all%views(2)%numbers => x
  call autodiff(f, x, dx)
end program
