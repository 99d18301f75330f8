! Requests about tapes from Fortran: forward mode after the first half, tapes in memory of the program's own, used again,
! and both halves as procedures.
module subjects
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x) result(y)
    real(8), intent(in) :: x(3)
    real(8) :: y, t(3)
    t = x**2
    t = t * x(1)
    y = sum(sin(t))
  end function

  subroutine powers(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y(2)
    y = [x(1)**3, x(1) * x(2)**2]
  end subroutine

  subroutine in_place(x)
    real(8), intent(inout) :: x(3)
    real(8), allocatable :: old(:)
    integer :: k
    do k = 1, 2
      old = x
      x(2:3) = old(2:3)**2 * old(1:2)
    end do
  end subroutine

  function product_of(a, y, n, b) result(z) bind(c)
    real(c_double), value :: a, b
    integer(c_int), value :: n
    real(c_double), intent(in) :: y(n)
    real(c_double) :: z
    z = a * y(n)**2 * b
  end function
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
  type, bind(c) :: halves
    type(c_funptr) :: augmented, reverse
  end type
  abstract interface
    function first_half(a, y, dy, n, b) bind(c) result(t)
      import :: taped, c_double, c_int
      real(c_double), value :: a, b
      integer(c_int), value :: n
      real(c_double) :: y(*), dy(*)
      type(taped) :: t
    end function
    function second_half(a, y, dy, n, b, seed, tape) bind(c) result(d)
      import :: pair, c_double, c_int, c_ptr
      real(c_double), value :: a, b, seed
      integer(c_int), value :: n
      real(c_double) :: y(*), dy(*)
      type(c_ptr), value :: tape
      type(pair) :: d
    end function
  end interface
  interface
    function forward(f, x, dx) bind(c, name="__enzyme_augmentfwd_f") result(t)
      import :: taped, c_double
      external :: f
      real(c_double) :: x(*), dx(*)
      type(taped) :: t
    end function
    function split_tangent(f, nofree, x, dx, tape) bind(c, name="__enzyme_fwdsplit_f") result(d)
      import :: c_double, c_int, c_ptr
      external :: f
      integer(c_int) :: nofree
      real(c_double) :: x(*), dx(*), d
      type(c_ptr), value :: tape
    end function
    function split_value_and_tangent(f, primal, dup, x, dx, tape) bind(c, name="__enzyme_fwdsplit_both") result(d)
      import :: pair, c_double, c_int, c_ptr
      external :: f
      integer(c_int) :: primal, dup
      real(c_double) :: x(*), dx(*)
      type(c_ptr), value :: tape
      type(pair) :: d
    end function
    function forward_powers(s, x, dx, y, dy) bind(c, name="__enzyme_augmentfwd_powers") result(tape)
      import :: c_double, c_ptr
      external :: s
      real(c_double) :: x(*), dx(*), y(*), dy(*)
      type(c_ptr) :: tape
    end function
    subroutine split_powers(s, x, dx, y, dy, tape) bind(c, name="__enzyme_fwdsplit_powers")
      import :: c_double, c_ptr
      external :: s
      real(c_double) :: x(*), dx(*), y(*), dy(*)
      type(c_ptr), value :: tape
    end subroutine
    subroutine backward_powers(s, nofree, x, dx, y, dy, tape) bind(c, name="__enzyme_reverse_powers")
      import :: c_double, c_int, c_ptr
      external :: s
      integer(c_int) :: nofree
      real(c_double) :: x(*), dx(*), y(*), dy(*)
      type(c_ptr), value :: tape
    end subroutine
    subroutine last_backward_powers(s, x, dx, y, dy, tape) bind(c, name="__enzyme_reverse_last")
      import :: c_double, c_ptr
      external :: s
      real(c_double) :: x(*), dx(*), y(*), dy(*)
      type(c_ptr), value :: tape
    end subroutine
    function forward_in_place(s, x, dx) bind(c, name="__enzyme_augmentfwd_in_place") result(tape)
      import :: c_double, c_ptr
      external :: s
      real(c_double) :: x(*), dx(*)
      type(c_ptr) :: tape
    end function
    subroutine split_in_place(s, x, dx, tape) bind(c, name="__enzyme_fwdsplit_in_place")
      import :: c_double, c_ptr
      external :: s
      real(c_double) :: x(*), dx(*)
      type(c_ptr), value :: tape
    end subroutine
    function size_of_tape(f, dup) bind(c, name="__enzyme_augmentsize_f") result(bytes)
      import :: c_int, c_size_t
      external :: f
      integer(c_int) :: dup
      integer(c_size_t) :: bytes
    end function
    function forward_placed(f, allocated, bytes, tape, memory, dup, x, dx) &
        bind(c, name="__enzyme_augmentfwd_placed") result(value)
      import :: c_double, c_int, c_size_t, c_ptr
      external :: f
      integer(c_int) :: allocated, tape, dup
      integer(c_size_t), value :: bytes
      type(c_ptr), value :: memory
      real(c_double) :: x(*), dx(*), value
    end function
    subroutine backward_placed(f, allocated, bytes, tape, memory, dup, x, dx, seed) &
        bind(c, name="__enzyme_reverse_placed")
      import :: c_double, c_int, c_size_t, c_ptr
      external :: f
      integer(c_int) :: allocated, tape, dup
      integer(c_size_t), value :: bytes
      type(c_ptr), value :: memory
      real(c_double) :: x(*), dx(*)
      real(c_double), value :: seed
    end subroutine
    function halves_of(f) bind(c, name="__enzyme_virtualreverse_f") result(pointer)
      import :: c_funptr, c_ptr
      type(c_funptr), value :: f
      type(c_ptr) :: pointer
    end function
  end interface
end module

program main
  use check
  use enzyme
  use subjects
  use requests
  real(8) :: x(3) = [1d0, 1.5d0, 0.7d0], v(3) = [0.5d0, -1d0, 2d0], dx(3), want, y(2), dy(2), z(2), dz(2)
  type(taped) :: t
  type(pair) :: d
  integer :: k

  want = 0
  do k = 1, 3
    want = want + cos(x(k)**2 * x(1)) * (2 * x(k) * v(k) * x(1) + x(k)**2 * v(1))
  end do
  dx = 0
  t = forward(f, x, dx)
  call same("fwdsplit", split_tangent(f, enzyme_nofree, x, v, t%tape), want, 1d-14)
  call same("fwdsplit again", split_tangent(f, enzyme_nofree, x, 2 * v, t%tape), 2 * want, 1d-14)
  d = split_value_and_tangent(f, enzyme_primal_return, enzyme_dup, x, v, t%tape)
  call same("fwdsplit, value", d%a, f(x), 1d-14)
  call same("fwdsplit, tangent", d%b, want, 1d-14)

  z = [2d0, 3d0]
  call powers_in_halves()
  call overwriting()
  call placed()
  call both_halves()
  call finish()
contains
  subroutine powers_in_halves()
    type(c_ptr) :: tape
    dz = [1d0, 10d0]
    tape = forward_powers(powers, z, dz, y, dy)
    call same("augmentfwd", y(2), 18d0)
    call split_powers(powers, z, dz, y, dy, tape)
    call same("fwdsplit of a subroutine 1", dy(1), 12d0)
    call same("fwdsplit of a subroutine 2", dy(2), 9d0 + 120)
    dz = 0
    tape = forward_powers(powers, z, dz, y, dy)
    dy = [1d0, 0d0]
    call backward_powers(powers, enzyme_nofree, z, dz, y, dy, tape)
    call same("enzyme_nofree, first row 1", dz(1), 12d0)
    call same("enzyme_nofree, first row 2", dz(2), 0d0)
    dz = 0
    dy = [0d0, 1d0]
    call last_backward_powers(powers, z, dz, y, dy, tape)
    call same("second row 1", dz(1), 9d0)
    call same("second row 2", dz(2), 12d0)
  end subroutine

  ! what it has overwritten is on the tape
  subroutine overwriting()
    type(c_ptr) :: tape
    real(8) :: w(3), dw(3)
    w = [2d0, 3d0, 5d0]
    dw = 0
    tape = forward_in_place(in_place, w, dw)
    call same("in place", w(3), 75d0**2 * 18)
    w(3) = -1
    dw = [1d0, 10d0, 100d0]
    call split_in_place(in_place, w, dw, tape)
    ! x2 = b²a, then b⁴a³; x3 = c²b, then c⁴b²·b²a = c⁴ b⁴ a
    call same("fwdsplit in place 2", dw(2), 81 * 3 * 4 * 1d0 + 4 * 27 * 8 * 10d0)
    call same("fwdsplit in place 3", dw(3), 625d0 * 81 + 625 * 4 * 27 * 2 * 10d0 + 4 * 125 * 81 * 2 * 100d0)
    call same("what the program has put there", w(3), -1d0)
  end subroutine

  subroutine placed()
    integer(c_size_t) :: bytes
    character, allocatable, target :: memory(:)
    real(8) :: value
    bytes = size_of_tape(f, enzyme_dup)
    allocate (memory(bytes))
    dx = 0
    value = forward_placed(f, enzyme_allocated, bytes, enzyme_tape, c_loc(memory), enzyme_dup, x, dx)
    call same("enzyme_allocated, value", value, f(x), 1d-14)
    call backward_placed(f, enzyme_allocated, bytes, enzyme_tape, c_loc(memory), enzyme_dup, x, dx, 3d0)
    call same("enzyme_allocated, gradient", dot_product(dx, v), 3 * want, 1d-14)
  end subroutine

  subroutine both_halves()
    type(halves), pointer :: of_product
    procedure(first_half), pointer :: augmented
    procedure(second_half), pointer :: reverse
    real(8) :: w(2) = [5d0, 7d0], dw(2) = 0
    call c_f_pointer(halves_of(c_funloc(product_of)), of_product)
    call c_f_procpointer(of_product%augmented, augmented)
    call c_f_procpointer(of_product%reverse, reverse)
    t = augmented(2d0, w, dw, 2_c_int, 3d0)
    call same("virtualreverse, value", t%value, 294d0)
    d = reverse(2d0, w, dw, 2_c_int, 3d0, 10d0, t%tape)
    call same("virtualreverse, first number", d%a, 1470d0)
    call same("virtualreverse, second number", d%b, 980d0)
    call same("virtualreverse, array", dw(2), 840d0)
  end subroutine
end program
