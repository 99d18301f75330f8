! A pointer behind a module variable is associated with an allocatable component of f's argument.
! expect: points at memory that carries a derivative under another name
module models
  implicit none
  type :: view
    real(8), pointer :: numbers(:)
  end type
  type :: model
    real(8) :: scale
    real(8), allocatable :: weights(:)
  end type
  type(view), pointer :: views(:)
contains
  subroutine f(m, y)
    type(model), intent(in) :: m
    real(8), intent(out) :: y
    y = sum(views(2)%numbers) * m%weights(1) * m%scale
  end subroutine
end module
program main
  use models
  implicit none
  interface
    subroutine gradient(s, m, dm, y, dy) bind(c, name="__enzyme_autodiff_of_models")
      external :: s
      type(*) :: m, dm
      real(8) :: y, dy
    end subroutine
  end interface
  type(model), target :: m, dm
  real(8) :: y, dy = 1
  allocate(views(2))
  m = model(2d0, [0.5d0, 1.2d0, 2d0])
  dm = model(0d0, [0d0, 0d0, 0d0])
  views(2)%numbers => m%weights
  call gradient(f, m, dm, y, dy)
end program
