! Markers about whole requests, from Fortran: runtime activity, strong zero, shadows behind all primals, derived types by
! reference; each in reverse and forward mode, and directions at once.
module subjects
  use, intrinsic :: iso_c_binding
  implicit none
  type :: row
    real(8), pointer :: weights(:)
  end type
  type, bind(c) :: spring
    real(c_double) :: length, rest
    integer(c_int) :: kind
  end type
contains
  function weighted(rows) result(y)
    type(row), intent(in) :: rows(2)
    real(8) :: y
    y = rows(1)%weights(1) * rows(2)%weights(2) + rows(1)%weights(2)**2 * rows(2)%weights(1)
  end function

  function either(x, y) result(z)
    real(8), intent(in) :: x(2), y(2)
    real(8) :: z
    z = x(1) * y(2) + x(2) * y(1)
  end function

  function with_pole(x) result(y)
    real(8), intent(in) :: x(2)
    real(8) :: y, a
    a = 0
    if (x(2) > 0) a = a + 0 * log(x(1)) + 0 * sqrt(x(1))
    y = a + x(2)**2
  end function

  function energy(s) result(e)
    type(spring), intent(in) :: s
    real(8) :: e
    e = (s%length - s%rest)**2 * s%kind
  end function
end module

module requests
  use, intrinsic :: iso_c_binding
  implicit none
  type, bind(c) :: pair
    real(c_double) :: a, b
  end type
  interface
    subroutine gradient_of_rows(f, activity, rows, shadows) bind(c, name="__enzyme_autodiff_rows")
      import :: c_int, c_ptr
      external :: f
      integer(c_int) :: activity
      type(c_ptr), value :: rows, shadows
    end subroutine
    function tangent_of_rows(f, activity, rows, shadows) bind(c, name="__enzyme_fwddiff_rows") result(d)
      import :: c_int, c_ptr, c_double
      external :: f
      integer(c_int) :: activity
      type(c_ptr), value :: rows, shadows
      real(c_double) :: d
    end function
    subroutine gradient_of_two(f, activity, x, dx, y, dy) bind(c, name="__enzyme_autodiff_two")
      import :: c_double, c_int
      external :: f
      integer(c_int) :: activity
      real(c_double) :: x(*), dx(*), y(*), dy(*)
    end subroutine
    subroutine interleaved_gradient(f, interleave, x, y, dx, dy) bind(c, name="__enzyme_autodiff_interleaved")
      import :: c_double, c_int
      external :: f
      integer(c_int) :: interleave
      real(c_double) :: x(*), dx(*), y(*), dy(*)
    end subroutine
    function interleaved_tangent(f, interleave, x, y, dx, dy) bind(c, name="__enzyme_fwddiff_interleaved") result(d)
      import :: c_double, c_int
      external :: f
      integer(c_int) :: interleave
      real(c_double) :: x(*), dx(*), y(*), dy(*), d
    end function
    subroutine gradient(f, zero, x, dx) bind(c, name="__enzyme_autodiff_zero")
      import :: c_double, c_int
      external :: f
      integer(c_int) :: zero
      real(c_double) :: x(*), dx(*)
    end subroutine
    function tangent(f, zero, x, dx) bind(c, name="__enzyme_fwddiff_zero") result(d)
      import :: c_double, c_int
      external :: f
      integer(c_int) :: zero
      real(c_double) :: x(*), dx(*), d
    end function
    subroutine gradient_of_spring(f, byref, bytes, s, ds) bind(c, name="__enzyme_autodiff_spring")
      import :: c_int, c_size_t, c_ptr
      external :: f
      integer(c_int) :: byref
      integer(c_size_t), value :: bytes
      type(c_ptr), value :: s, ds
    end subroutine
    function two_tangents(f, zero, width, n, dupv, stride, x, dx) bind(c, name="__enzyme_fwddiff_all") result(d)
      import :: pair, c_double, c_int, c_size_t
      external :: f
      integer(c_int) :: zero, width, dupv
      integer(c_int), value :: n
      integer(c_size_t), value :: stride
      real(c_double) :: x(*), dx(*)
      type(pair) :: d
    end function
  end interface
end module

program main
  use check
  use enzyme
  use subjects
  use requests
  real(8) :: x(2) = [2d0, 3d0], y(2) = [5d0, 7d0], dx(2), dy(2), z(2), dz(2)
  type(pair) :: d

  dx = 0
  call gradient_of_two(either, enzyme_runtime_activity, x, dx, y, y)
  call same("runtime activity 1", dx(1), 7d0)
  call same("runtime activity 2", dx(2), 5d0)
  call same("constant memory stays 1", y(1), 5d0, 0d0)
  call same("constant memory stays 2", y(2), 7d0, 0d0)
  call of_rows()

  z = [0d0, 3d0]
  dz = 0
  call gradient(with_pole, enzyme_strong_zero, z, dz)
  call same("strong zero 1", dz(1), 0d0)
  call same("strong zero 2", dz(2), 6d0)
  call same("strong zero, forward", tangent(with_pole, enzyme_strong_zero, z, [0d0, 1d0]), 6d0)
  d = two_tangents(with_pole, enzyme_strong_zero, enzyme_width, 2, enzyme_dupv, 16_c_size_t, z, [0d0, 1d0, 0d0, 10d0])
  call same("strong zero, two directions 1", d%a, 6d0)
  call same("strong zero, two directions 2", d%b, 60d0)

  dx = 0
  dy = 0
  call interleaved_gradient(either, enzyme_interleave, x, y, dx, dy)
  call same("interleave 1", dx(1), 7d0)
  call same("interleave 2", dx(2), 5d0)
  call same("interleave 3", dy(1), 3d0)
  call same("interleave 4", dy(2), 2d0)
  call same("interleave, forward", interleaved_tangent(either, enzyme_interleave, x, y, [1d0, 0d0], [0d0, 1d0]), 9d0)
  call of_spring()
  call finish()
contains
  ! the second row's weights are constant: their descriptor in the shadow is a copy of the primal's
  subroutine of_rows()
    real(8), target :: w(2), dw(2), v(2)
    type(row), target :: rows(2), shadows(2)
    w = [2d0, 3d0]
    v = [5d0, 7d0]
    dw = 0
    rows(1)%weights => w
    rows(2)%weights => v
    shadows(1)%weights => dw
    shadows(2)%weights => v
    call gradient_of_rows(weighted, enzyme_runtime_activity, c_loc(rows), c_loc(shadows))
    call same("runtime activity behind pointers 1", dw(1), 7d0)
    call same("runtime activity behind pointers 2", dw(2), 2 * 3d0 * 5)
    call same("constant weights stay 1", v(1), 5d0, 0d0)
    call same("constant weights stay 2", v(2), 7d0, 0d0)
    dw = [1d0, 10d0]
    call same("runtime activity, forward", &
              tangent_of_rows(weighted, enzyme_runtime_activity, c_loc(rows), c_loc(shadows)), 7d0 + 300)
  end subroutine

  subroutine of_spring()
    type(spring), target :: s, ds
    s = spring(3d0, 1d0, 5)
    ds = spring(0d0, 0d0, 0)
    call gradient_of_spring(energy, enzyme_byref, storage_size(s, c_size_t) / 8, c_loc(s), c_loc(ds))
    call same("byref 1", ds%length, 20d0)
    call same("byref 2", ds%rest, -20d0)
  end subroutine
end program
