! Every request from Fortran, through interfaces of the program's own: markers by reference, numbers by value.
module subjects
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x) result(y)
    real(8), intent(in) :: x(2)
    real(8) :: y
    y = x(1)**2 * sin(x(2))
  end function

  function waves(u, v) result(y) bind(c)
    real(c_double), value :: u, v
    real(c_double) :: y
    y = sin(u) * v
  end function

  subroutine squares(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y(2)
    y = [x(1)**2, x(1) * x(2)]
  end subroutine

  subroutine in_place(x)
    real(8), intent(inout) :: x(3)
    integer :: k
    do k = 2, 3
      x(k) = x(k)**2 * x(k - 1)
    end do
  end subroutine
end module

module requests
  use, intrinsic :: iso_c_binding
  implicit none
  type, bind(c) :: pair
    real(c_double) :: a, b
  end type
  type, bind(c) :: taped
    type(c_ptr) :: tape
    real(c_double) :: value
  end type
  interface
    function gradient_of_scalars(f, u, v) bind(c, name="__enzyme_autodiff_scalars") result(d)
      import :: pair, c_double
      interface
        function f(u, v) bind(c)
          import :: c_double
          real(c_double), value :: u, v
          real(c_double) :: f
        end function
      end interface
      real(c_double), value :: u, v
      type(pair) :: d
    end function
    function gradient_by_first(f, out, u, const, v) bind(c, name="__enzyme_autodiff_first") result(d)
      import :: c_double, c_int
      external :: f
      integer(c_int) :: out, const
      real(c_double), value :: u, v
      real(c_double) :: d
    end function
    function value_and_first(f, primal, out, u, const, v) bind(c, name="__enzyme_autodiff_value") result(d)
      import :: pair, c_double, c_int
      external :: f
      integer(c_int) :: primal, out, const
      real(c_double), value :: u, v
      type(pair) :: d
    end function
    subroutine adjoint(s, dup, x, dx, dupnoneed, y, dy) bind(c, name="__enzyme_autodiff_subroutine")
      import :: c_double, c_int
      external :: s
      integer(c_int) :: dup, dupnoneed
      real(c_double) :: x(*), dx(*), y(*), dy(*)
    end subroutine
    subroutine two_adjoints(f, width, n, dup, x, dx1, dx2) bind(c, name="__enzyme_autodiff_width")
      import :: c_double, c_int
      external :: f
      integer(c_int) :: width, dup
      integer(c_int), value :: n
      real(c_double) :: x(*), dx1(*), dx2(*)
    end subroutine
    subroutine strided_adjoints(s, width, n, dupv, stride, x, dx) bind(c, name="__enzyme_autodiff_strided")
      import :: c_double, c_int, c_size_t
      external :: s
      integer(c_int) :: width, dupv
      integer(c_int), value :: n
      integer(c_size_t), value :: stride
      real(c_double) :: x(*), dx(*)
    end subroutine
    function directional(f, x, dx) bind(c, name="__enzyme_fwddiff_plain") result(d)
      import :: c_double
      external :: f
      real(c_double) :: x(*), dx(*), d
    end function
    function value_and_direction(f, primal, dup, x, dx) bind(c, name="__enzyme_fwddiff_value") result(d)
      import :: pair, c_double, c_int
      external :: f
      integer(c_int) :: primal, dup
      real(c_double) :: x(*), dx(*)
      type(pair) :: d
    end function
    function two_directions(f, width, n, dup, x, dx1, dx2) bind(c, name="__enzyme_fwddiff_width") result(d)
      import :: pair, c_double, c_int
      external :: f
      integer(c_int) :: width, dup
      integer(c_int), value :: n
      real(c_double) :: x(*), dx1(*), dx2(*)
      type(pair) :: d
    end function
    function strided_directions(f, width, n, dupv, stride, x, dx) bind(c, name="__enzyme_fwddiff_strided") result(d)
      import :: pair, c_double, c_int, c_size_t
      external :: f
      integer(c_int) :: width, dupv
      integer(c_int), value :: n
      integer(c_size_t), value :: stride
      real(c_double) :: x(*), dx(*)
      type(pair) :: d
    end function
    subroutine tangent(s, dup, x, dx, dup2, y, dy) bind(c, name="__enzyme_fwddiff_subroutine")
      import :: c_double, c_int
      external :: s
      integer(c_int) :: dup, dup2
      real(c_double) :: x(*), dx(*), y(*), dy(*)
    end subroutine
    function forward(f, x, dx) bind(c, name="__enzyme_augmentfwd_value") result(t)
      import :: taped, c_double
      external :: f
      real(c_double) :: x(*), dx(*)
      type(taped) :: t
    end function
    subroutine backward(f, x, dx, seed, tape) bind(c, name="__enzyme_reverse_value")
      import :: c_double, c_ptr
      external :: f
      real(c_double) :: x(*), dx(*)
      real(c_double), value :: seed
      type(c_ptr), value :: tape
    end subroutine
    function forward_in_place(s, x, dx) bind(c, name="__enzyme_augmentfwd_in_place") result(tape)
      import :: c_double, c_ptr
      external :: s
      real(c_double) :: x(*), dx(*)
      type(c_ptr) :: tape
    end function
    subroutine backward_in_place(s, nofree, x, dx, tape) bind(c, name="__enzyme_reverse_in_place")
      import :: c_double, c_int, c_ptr
      external :: s
      integer(c_int) :: nofree
      real(c_double) :: x(*), dx(*)
      type(c_ptr), value :: tape
    end subroutine
    subroutine last_backward(s, x, dx, tape) bind(c, name="__enzyme_reverse_last")
      import :: c_double, c_ptr
      external :: s
      real(c_double) :: x(*), dx(*)
      type(c_ptr), value :: tape
    end subroutine
    function size_of_tape(f, dup) bind(c, name="__enzyme_augmentsize_value") result(bytes)
      import :: c_int, c_size_t
      external :: f
      integer(c_int) :: dup
      integer(c_size_t) :: bytes
    end function
    function value_without_derivative(x) bind(c, name="__enzyme_ignore_derivatives_8") result(y)
      import :: c_double
      real(c_double), value :: x
      real(c_double) :: y
    end function
    function batched(f, width, n, u1, u2, v1, v2) bind(c, name="__enzyme_batch_waves") result(d)
      import :: pair, c_double, c_int
      external :: f
      integer(c_int) :: width
      integer(c_int), value :: n
      real(c_double), value :: u1, u2, v1, v2
      type(pair) :: d
    end function
  end interface
contains
  function partly(x) result(y)
    real(8), intent(in) :: x(2)
    real(8) :: y
    y = x(1) * value_without_derivative(x(2) * x(1))
  end function
end module

module second
  use subjects, only: f
  use enzyme, only: autodiff
  implicit none
contains
  subroutine gradient(x, dx)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: dx(2)
    dx = 0
    call autodiff(f, x, dx)
  end subroutine
end module

program main
  use check
  use enzyme
  use subjects
  use requests
  use second
  real(8) :: x(2) = [2d0, 0.5d0], z(3), dz(3), zs(3, 2), dx(2), two(2, 2), y(2), dy(2), row(2)
  type(pair) :: d
  type(taped) :: t, u
  type(c_ptr) :: tape
  integer :: k

  d = gradient_of_scalars(waves, 2d0, 3d0)
  call same("autodiff, two results: 1", d%a, cos(2d0) * 3)
  call same("autodiff, two results: 2", d%b, sin(2d0))
  call same("enzyme_out, enzyme_const", gradient_by_first(waves, enzyme_out, 2d0, enzyme_const, 3d0), cos(2d0) * 3)
  d = value_and_first(waves, enzyme_primal_return, enzyme_out, 2d0, enzyme_const, 3d0)
  call same("enzyme_primal_return, value", d%a, sin(2d0) * 3)
  call same("enzyme_primal_return, derivative", d%b, cos(2d0) * 3)

  dx = 0
  dy = [1d0, 10d0]
  call adjoint(squares, enzyme_dup, x, dx, enzyme_dupnoneed, y, dy)
  call same("enzyme_dupnoneed 1", dx(1), 2 * x(1) + 10 * x(2))
  call same("enzyme_dupnoneed 2", dx(2), 10 * x(1))
  two = 0
  call two_adjoints(f, enzyme_width, 2, enzyme_dup, x, two(:, 1), two(:, 2))
  do k = 1, 2
    call same("enzyme_width, reverse 1", two(1, k), 2 * x(1) * sin(x(2)))
    call same("enzyme_width, reverse 2", two(2, k), x(1)**2 * cos(x(2)))
  end do
  z = [2d0, 3d0, 5d0]
  zs = reshape([0d0, 0d0, 1d0, 0d0, 1d0, 0d0], [3, 2])
  call strided_adjoints(in_place, enzyme_width, 2, enzyme_dupv, 24_c_size_t, z, zs)
  call same("enzyme_dupv, reverse 1", zs(1, 1), 25d0 * 9)
  call same("enzyme_dupv, reverse 2", zs(2, 1), 25d0 * 12)
  call same("enzyme_dupv, reverse 3", zs(3, 1), 10d0 * 18)
  call same("enzyme_dupv, reverse, second lane", zs(2, 2), 12d0)

  call same("fwddiff", directional(f, x, [1d0, 2d0]), 2 * x(1) * sin(x(2)) + 2 * x(1)**2 * cos(x(2)))
  d = value_and_direction(f, enzyme_primal_return, enzyme_dup, x, [0d0, 1d0])
  call same("fwddiff, value", d%a, f(x))
  call same("fwddiff, tangent", d%b, x(1)**2 * cos(x(2)))
  d = two_directions(f, enzyme_width, 2, enzyme_dup, x, [1d0, 0d0], [0d0, 1d0])
  call same("enzyme_width, forward 1", d%a, 2 * x(1) * sin(x(2)))
  call same("enzyme_width, forward 2", d%b, x(1)**2 * cos(x(2)))
  d = strided_directions(f, enzyme_width, 2, enzyme_dupv, 16_c_size_t, x, [1d0, 0d0, 0d0, 1d0])
  call same("enzyme_dupv, forward 1", d%a, 2 * x(1) * sin(x(2)))
  call same("enzyme_dupv, forward 2", d%b, x(1)**2 * cos(x(2)))
  call tangent(squares, enzyme_dup, x, [1d0, 3d0], enzyme_dup, y, dy)
  call same("fwddiff of a subroutine 1", dy(1), 2 * x(1))
  call same("fwddiff of a subroutine 2", dy(2), x(2) + 3 * x(1))

  dx = 0
  t = forward(f, x, dx)
  u = forward(f, x, dx)
  call same("augmentfwd, value", t%value, f(x))
  call backward(f, x, dx, 10d0, u%tape)
  call backward(f, x, dx, 1d0, t%tape)
  call same("reverse 1", dx(1), 22 * x(1) * sin(x(2)))
  call same("reverse 2", dx(2), 11 * x(1)**2 * cos(x(2)))
  z = [2d0, 3d0, 5d0]
  dz = 0
  tape = forward_in_place(in_place, z, dz)
  call same("augmentfwd of a subroutine", z(3), 25d0 * 18)
  z = 0
  dz = [0d0, 0d0, 1d0]
  call backward_in_place(in_place, enzyme_nofree, z, dz, tape)
  call same("enzyme_nofree", dz(2), 25d0 * 12)
  dz = [0d0, 0d0, 2d0]
  call last_backward(in_place, z, dz, tape)
  call same("the same tape again", dz(2), 50d0 * 12)
  call same("augmentsize", merge(1d0, 0d0, size_of_tape(f, enzyme_dup) > 0), 1d0)

  dx = 0
  call autodiff(partly, x, dx)
  call same("ignore_derivatives 1", dx(1), x(1) * x(2))
  call same("ignore_derivatives 2", dx(2), 0d0)
  d = batched(waves, enzyme_width, 2, 1d0, 2d0, 3d0, 4d0)
  call same("batch 1", d%a, sin(1d0) * 3)
  call same("batch 2", d%b, sin(2d0) * 4)

  do k = 1, 2
    row = 0
    row(k) = 1
    call tangent(gradient, enzyme_dup, x, row, enzyme_dup, dx, two(:, k))
  end do
  call same("Hessian 1 1", two(1, 1), 2 * sin(x(2)))
  call same("Hessian 1 2", two(1, 2), 2 * x(1) * cos(x(2)))
  call same("Hessian 2 1", two(2, 1), 2 * x(1) * cos(x(2)))
  call same("Hessian 2 2", two(2, 2), -x(1)**2 * sin(x(2)))
  call finish()
end program
