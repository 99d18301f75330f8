#include "check_each.h"
module sizes
  implicit none
  integer, parameter :: n = 6
  interface
    module real(8) function in_submodule(x) result(y)
      real(8), intent(in) :: x(n)
    end function
  end interface
contains
  subroutine scale_common(factor)
    real(8), intent(in) :: factor
    real(8) :: a, b
    common /shared/ a, b
    a = a * factor
    b = b + a
  end subroutine
end module

submodule (sizes) details
contains
  module procedure in_submodule
    integer :: i
    y = 0
    do i = 1, n
      y = y + inner(x(i)) * i
    end do
  end procedure
  real(8) function inner(t)
    real(8), intent(in) :: t
    inner = sin(t) * t
  end function
end submodule

module functions
  use sizes
  implicit none
contains
  real(8) function concurrent_loops(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: v(6), m(3, 2), t
    integer :: i, j
    do concurrent (i = 1:6, x(i) > 0) local(t) shared(v)
      t = x(i)**2
      v(i) = t * sin(t)
    end do
    v(3) = x(3)
    t = x(1)
    do concurrent (i = 1:6) local_init(t)
      v(i) = v(i) * t
    end do
    do concurrent (integer(4) :: k = 1:3) default(none) shared(v, m)
      m(k, :) = v(k) * v(k + 3)
    end do
    y = 0
    do concurrent (i = 1:3, j = 1:2) reduce(+: y)
      y = y + m(i, j) * i * j
    end do
  end function

  real(8) function block_and_associate(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: v(6)
    integer :: i
    v = x
    y = 0
    associate (a => v(1:5:2), s => sum(v), first => v(1))
      a = a * s
      y = y + s * first
    end associate
    outer: block
      real(8) :: w(size(v))
      real(8), save :: kept = 2
      integer, parameter :: last = 4
      w = v * kept
      do i = 1, size(w)
        if (i == last) exit outer
        y = y + w(i)**2
      end do
    end block outer
  end function

  real(8) function selections(x) result(y)
    real(8), intent(in) :: x(6)
    integer :: i
    character(3) :: word(6) = ["one", "two", "abc", "xyz", "two", "one"]
    y = 0
    outer: do i = 1, 6
      select case (i)
      case (:1)
        y = y + x(i)
      case (2:3)
        y = y * x(i)
      case (5)
        cycle outer
      case default
        y = y + x(i)**2
      end select
      select case (word(i))
      case ("one")
        y = y + sin(x(i))
      case ("x":"z")
        y = y * 2
      end select
      if (x(i) < -1) exit outer
    end do outer
    do while (y < 20)
      y = y * 1.5d0 + x(1)
    end do
    if (x(1) > 0) then; y = y + x(2); else if (x(2) > 0) then; y = y - x(2); else; y = 0; end if
  end function

  real(8) function jumps(x) result(y)
    real(8), intent(in) :: x(6)
    integer :: k
    k = 0
    y = x(1)
10  k = k + 1
    y = y * x(2) + k
    if (k < 3) goto 10
    if (y - 3) 20, 30, 40
20  y = y + x(3)
30  y = y * x(4)
40  y = y + x(5)
    goto (50, 60), k - 1
50  y = y * 3
60  y = y * x(6)
    do 70 k = 1, 3
      y = y + x(k)
70  continue
  end function

  real(8) function storage(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: a, b, v(6), m(2, 3), re(2)
    complex(8) :: z
    common /shared/ a, b
    equivalence (v, m), (z, re)
    a = x(1)
    b = x(2)
    call scale_common(x(3))
    v = x
    m(2, :) = m(2, :) * 2
    z = cmplx(x(4), x(5), 8)**2
    y = a * b + sum(v * x) + re(1) * re(2)
  end function

  real(8) function in_module(x) result(y)
    real(8), intent(in) :: x(6)
    y = in_submodule(x)
  end function

  real(8) function formats(x) result(y)
    real(8), intent(in) :: x(6)
    character(40) :: text
    character(4) :: input = "2.5"
    integer :: k
    real(8) :: p, q
    namelist /group/ p, q
    write (text, "(f8.3)") x(1)
    print *, trim(text)
    read (input, *) p
    q = 3
    open (newunit=k, status="scratch")
    write (k, group)
    close (k)
    inquire (iolength=k) x
    y = x(1) * x(2) + k * x(3)
  end function

  real(8) function errors(x) result(y)
    real(8), intent(in) :: x(6)
    real(8), allocatable :: v(:)
    integer :: status
    character(80) :: message
    allocate (v(6), source=x, stat=status, errmsg=message)
    if (status /= 0) error stop "no memory"
    if (x(1) > 100) stop 3
    if (x(1) > 101) error stop 4, quiet=.true.
    v = v * x(1)
    deallocate (v, stat=status)
    allocate (v, source=x(6:1:-1), stat=status)
    y = sum(v * x)
  end function

  real(8) function kinds(x) result(y)
    real(8), intent(in) :: x(6)
    integer, parameter :: wide = selected_real_kind(15, 300), single = kind(1.0)
    real(wide) :: a
    real(single) :: s
    real(10) :: e
    double precision :: d
    a = x(1)
    s = 0.5
    e = x(2) * 1.5_10
    d = x(3)
    y = a * s + real(e * e, 8) + d**2 + int(x(4) * 10 + 0.5d0) * x(5) + logical_number(x(6) > 0) * x(6)
  contains
    integer function logical_number(l)
      logical, intent(in) :: l
      logical_number = merge(2, 3, l)
    end function
  end function

  real(8) function with_entry(x) result(y)
    real(8), intent(in) :: x(6)
    y = first_entry(x(1), x(2)) + second_entry(x(3))
  end function
  function first_entry(a, b) result(r)
    real(8), intent(in) :: a, b
    real(8) :: r
    r = a * b
    return
  entry second_entry(a) result(r)
    r = a**2
  end function

  real(8) function statement_function(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: square, t
    square(t) = t * t
    y = square(x(1)) + square(x(2) * x(3))
  end function

  real(8) function alternate(x) result(y)
    real(8), intent(in) :: x(6)
    y = x(1)
    call step(y, *10)
    y = y * 5
10  y = y * x(2)
  contains
    subroutine step(t, *)
      real(8), intent(inout) :: t
      t = t**2
      if (t < 10) return 1
    end subroutine
  end function
  real(8) function enumerated(x) result(y)
    real(8), intent(in) :: x(6)
    enum, bind(c)
      enumerator :: red = 1, green = 4
    end enum
    real(8), parameter :: table(3) = [1d0, 2d0, 3d0]
    real(8) :: data_table(2)
    data data_table / 2 * 1.5d0 /
    y = x(red) * x(green) + sum(table * x(1:3)) + sum(data_table * x(2:3))
  end function
end module

program main
  use check
  use functions
  real(8) :: x(6) = [0.7d0, 1.1d0, -0.4d0, 0.9d0, 1.3d0, 0.2d0], dx(6)
  CHECK(concurrent_loops)
  CHECK(block_and_associate)
  CHECK(selections)
  CHECK(jumps)
  CHECK(storage)
  CHECK(in_module)
  CHECK(formats)
  CHECK(errors)
  CHECK(kinds)
  CHECK(with_entry)
  CHECK(statement_function)
  CHECK(alternate)
  CHECK(enumerated)
  call finish()
end program
