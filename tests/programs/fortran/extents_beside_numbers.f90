! Layers that are made where they are differentiated: one type has extents where another has numbers. Elsewhere, numbers
! are made of the bits of integers in such objects. No extent in the descriptor of an array is a part of a number.
!
! Code of -O0 keeps extents in variables that nothing declares.
! flags: -O2
module layers
  implicit none
  type, abstract :: base
    integer :: seed = 0
  contains
    procedure(init_of), deferred :: init
    procedure(eval_of), deferred :: eval
  end type
  abstract interface
    subroutine init_of(self, shape_before)
      import base
      class(base), intent(inout) :: self
      integer, intent(in) :: shape_before(:)
    end subroutine
    subroutine eval_of(self, x, y)
      import base
      class(base), intent(inout) :: self
      real, intent(in) :: x(:)
      real, allocatable, intent(out) :: y(:)
    end subroutine
  end interface
  type, extends(base) :: dense
    integer :: inputs = 0, outputs = 0
    real, allocatable :: weights(:, :)
  contains
    procedure :: init => init_dense
    procedure :: eval => eval_dense
  end type
  type, extends(base) :: scaled
    real :: factor = 1, shift = 0
    real, allocatable :: output(:)
  contains
    procedure :: init => init_scaled
    procedure :: eval => eval_scaled
  end type
  type :: layer
    class(base), allocatable :: p
    integer, allocatable :: layer_shape(:)
  end type
  type :: network
    type(layer), allocatable :: layers(:)
  end type
contains
  subroutine init_dense(self, shape_before)
    class(dense), intent(inout) :: self
    integer, intent(in) :: shape_before(:)
    integer :: i, j
    self%inputs = shape_before(1)
    allocate (self%weights(self%inputs, self%outputs))
    do j = 1, self%outputs
      do i = 1, self%inputs
        self%weights(i, j) = 0.25 * i - 0.5 * j
        if (self%seed /= 0) then
          !dir$ noinline
          self%weights(i, j) = drawn(self, i + 7 * j)
        end if
      end do
    end do
    self%weights = self%weights / self%inputs
  end subroutine

  function drawn(self, i) result(u)
    class(base), intent(in) :: self
    integer, intent(in) :: i
    real :: u
    integer :: bits
    bits = self%seed * i
    bits = ieor(bits, ishft(bits, 13))
    u = transfer(ior(ishft(bits, -9), int(z'3f800000')), 1.0) - 1.5
  end function

  subroutine eval_dense(self, x, y)
    class(dense), intent(inout) :: self
    real, intent(in) :: x(:)
    real, allocatable, intent(out) :: y(:)
    y = tanh(matmul(x, self%weights))
  end subroutine

  subroutine init_scaled(self, shape_before)
    class(scaled), intent(inout) :: self
    integer, intent(in) :: shape_before(:)
    allocate (self%output(shape_before(1)))
    self%output = 0
  end subroutine

  subroutine eval_scaled(self, x, y)
    class(scaled), intent(inout) :: self
    real, intent(in) :: x(:)
    real, allocatable, intent(out) :: y(:)
    self%output = self%factor * x + self%shift
    y = self%output
  end subroutine

  function dense_layer(n) result(res)
    integer, intent(in) :: n
    type(layer) :: res
    type(dense) :: d
    d%outputs = n
    res%layer_shape = [n]
    allocate (res%p, source=d)
  end function

  function scaled_layer(n, factor) result(res)
    integer, intent(in) :: n
    real, intent(in) :: factor
    type(layer) :: res
    type(scaled) :: s
    s%factor = factor
    s%shift = factor**2
    res%layer_shape = [n]
    allocate (res%p, source=s)
  end function

  function made(layers) result(res)
    type(layer), intent(in) :: layers(:)
    type(network) :: res
    integer :: n
    res%layers = layers
    call res%layers(1)%p%init([2])
    do n = 2, size(layers)
      call res%layers(n)%p%init(res%layers(n - 1)%layer_shape)
    end do
  end function

  function loss(x) result(y) bind(c)
    real(8), intent(inout) :: x(2)
    real(8) :: y
    type(network) :: net
    real, allocatable :: v(:), w(:)
    integer :: n
    net = made([dense_layer(3), scaled_layer(3, real(x(1))), dense_layer(2)])
    v = real(x)
    do n = 1, size(net%layers)
      call net%layers(n)%p%eval(v, w)
      v = w
    end do
    y = sum(real(v, 8)**2)
  end function

  ! The same without objects, in double precision.
  function plain(x) result(y)
    real(8), intent(in) :: x(2)
    real(8) :: y, first(2, 3), last(3, 2)
    integer :: i, j
    first = reshape([((0.25d0 * i - 0.5d0 * j, i = 1, 2), j = 1, 3)], [2, 3]) / 2
    last = reshape([((0.25d0 * i - 0.5d0 * j, i = 1, 3), j = 1, 2)], [3, 2]) / 3
    y = sum(tanh(matmul(x(1) * tanh(matmul(x, first)) + x(1)**2, last))**2)
  end function
end module

program main
  use check
  use layers
  real(8) :: x(2), at(2) = [0.7d0, 1.1d0], dx(2) = 0
  integer :: i
  x = at
  call autodiff(loss, x, dx)
  do i = 1, 2
    call same("loss", dx(i), difference(plain, at, i), 1d-5)
  end do
  call same("forward", fwddiff(loss, (at), direction(at)), sum(dx * direction(at)), 1d-5)
  call finish()
end program
