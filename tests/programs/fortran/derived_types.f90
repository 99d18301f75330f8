! Derived types: nested, in arrays, with allocatable components (copied deeply), with type-bound procedures, extended.
module bodies
  implicit none
  type vector
    real(8) :: x, y
  contains
    procedure :: length
    procedure :: scale
  end type
  type body
    integer :: id
    type(vector) :: position, speed
    real(8) :: mass
  end type
  type, extends(vector) :: vector3
    real(8) :: z
  contains
    procedure :: length => length3
  end type
  type polynomial
    integer :: degree = 0
    real(8), allocatable :: coefficients(:)
  contains
    procedure :: value
  end type
contains
  function length(self) result(l)
    class(vector), intent(in) :: self
    real(8) :: l
    l = sqrt(self%x**2 + self%y**2)
  end function

  function length3(self) result(l)
    class(vector3), intent(in) :: self
    real(8) :: l
    l = sqrt(self%x**2 + self%y**2 + self%z**2)
  end function

  subroutine scale(self, by)
    class(vector), intent(inout) :: self
    real(8), intent(in) :: by
    self%x = self%x * by
    self%y = self%y * by
  end subroutine

  function value(self, at) result(v)
    class(polynomial), intent(in) :: self
    real(8), intent(in) :: at
    real(8) :: v
    integer :: i
    v = 0
    do i = self%degree, 0, -1
      v = v * at + self%coefficients(i + 1)
    end do
  end function

  function moved(x) result(energy)
    real(8), intent(in) :: x(4)
    real(8) :: energy
    type(body) :: all(2), other
    integer :: i, step
    all(1) = body(1, vector(x(1), x(2)), vector(0d0, 0.1d0), x(3))
    all(2) = all(1)
    all(2)%position%x = x(4)
    all%id = 3
    do step = 1, 3
      do i = 1, 2
        all(i)%position%x = all(i)%position%x + 0.1d0 * all(i)%speed%x
        all(i)%position%y = all(i)%position%y + 0.1d0 * all(i)%speed%y
        call all(i)%speed%scale(x(3))
      end do
      other = all(1)
      all(1) = all(2)
      all(2) = other
    end do
    energy = sum(all%mass * all%position%x) + all(1)%position%length() * all(2)%position%length()
  end function

  function dispatched(x) result(y)
    real(8), intent(in) :: x(3)
    real(8) :: y
    class(vector), allocatable :: v
    if (x(1) > 0) then
      v = vector3(x(1), x(2), x(3))
    else
      v = vector(x(1), x(2))
    end if
    call v%scale(x(2))
    y = v%length()
  end function

  function components(x) result(y)
    real(8), intent(in) :: x(3)
    real(8) :: y
    type(polynomial) :: p, q
    p%degree = 2
    allocate(p%coefficients(3))
    p%coefficients = x
    q = p
    q%coefficients(1) = q%coefficients(1) * x(2)
    y = p%value(x(3)) * q%value(x(1))
  end function
end module

program main
  use check
  use bodies
  real(8) :: x(4) = [0.7d0, 1.1d0, -0.4d0, 0.9d0], dx(4)
  dx = 0
  call autodiff(moved, x, dx)
  call compare("moved", moved, x, dx)
  call agree("moved", fwddiff(moved, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(components, x, dx)
  call compare("components", components, x(1:3), dx(1:3))
  call agree("components", fwddiff(components, (x(1:3)), direction(x(1:3))), x(1:3), dx(1:3))
  dx = 0
  call autodiff(dispatched, x, dx)
  call compare("dispatched", dispatched, x(1:3), dx(1:3))
  call agree("dispatched", fwddiff(dispatched, (x(1:3)), direction(x(1:3))), x(1:3), dx(1:3))
  call finish()
end program
