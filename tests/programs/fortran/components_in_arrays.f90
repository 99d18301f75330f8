! Components that own memory, nested and in arrays, with initial values and texts: copied, assigned by parts and sections.
module networks_of_layers
  implicit none
  type layer
    character(4) :: name = "none"
    real(8), allocatable :: weights(:, :), bias(:)
    real(8) :: scale = 2
  end type
  type network
    integer :: depth = 0
    type(layer), allocatable :: layers(:)
    type(layer) :: last(2)
    character(:), allocatable :: label
  end type
contains
  function networks(x) result(y)
    real(8), intent(in) :: x(4)
    real(8) :: y
    type(network) :: one, other, pair(2)
    integer :: k
    one%depth = 2
    one%label = "one"
    allocate(one%layers(2))
    do k = 1, 2
      one%layers(k)%weights = reshape(x * k, [2, 2])
      one%layers(k)%bias = x(k:k + 1)
      one%last(k)%bias = [x(k), x(k + 1) * x(k)]
    end do
    other = one
    other%layers(1)%weights(1, 1) = other%layers(1)%weights(1, 1)**2
    other%layers(2)%scale = x(3)
    pair = one
    pair(2) = other
    one%layers = pair(2)%layers(2:1:-1)
    one%last(1) = other%last(2)
    y = output(one, x(1:2)) + 2 * output(other, x(3:4)) * output(pair(1), x(2:3)) + sum(one%last(1)%bias)
  end function

  function output(net, input) result(y)
    type(network), intent(in) :: net
    real(8), intent(in) :: input(2)
    real(8) :: y, signal(2)
    integer :: k
    signal = input
    do k = 1, size(net%layers)
      signal = tanh(matmul(net%layers(k)%weights, signal) + net%layers(k)%bias) * net%layers(k)%scale
    end do
    y = signal(1) - signal(2) + sum(net%last(2)%bias) * len(net%label)
  end function
end module

program main
  use check
  use networks_of_layers
  real(8) :: x(4) = [0.7d0, 1.1d0, -0.4d0, 0.9d0], dx(4) = 0
  call autodiff(networks, x, dx)
  call compare("networks", networks, x, dx)
  call agree("networks", fwddiff(networks, (x), direction(x)), x, dx)
  call finish()
end program
