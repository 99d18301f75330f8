! What the random Fortran functions are made of. Three modules are made of this text: of real numbers, which is
! differentiated; of real numbers with a trace of conditions; and of complex numbers, for the complex step.
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  type thing
    NUMBER :: p, q
    integer :: n
    NUMBER :: r(2), s(4)
  end type
  type owner
    NUMBER :: w
    NUMBER, allocatable :: h(:)
    type(thing) :: t
  end type
  NUMBER, save :: state(4)
  NUMBER, allocatable, save :: kept(:)
  NUMBER :: shared(4)
  common /blockSUFFIX/ shared
  interface
    function note(c) bind(c, name="note") result(r)
      import :: c_int
      integer(c_int), value :: c
      integer(c_int) :: r
    end function
  end interface
contains
  ELEMENTAL function square(e) result(r)
    NUMBER, intent(in) :: e
    NUMBER :: r
    r = e * e
  end function

  ELEMENTAL function squash(e) result(r)
    NUMBER, intent(in) :: e
    NUMBER :: r
    r = e / (1 + e * e)
  end function

  ELEMENTAL function absolute(e) result(r)
    NUMBER, intent(in) :: e
    NUMBER :: r
    r = e
    if (cond(real(e, 8) < 0)) r = -e
  end function

  ELEMENTAL function larger(a, b) result(r)
    NUMBER, intent(in) :: a, b
    NUMBER :: r
    r = b
    if (cond(real(a, 8) > real(b, 8))) r = a
  end function

  ELEMENTAL function index_of(e) result(r)
    NUMBER, intent(in) :: e
    integer :: r
    r = iand(int(real(e, 8) * 7), 3)
    TRACE r = note(r)
    r = r + 1
  end function

  ELEMENTAL function cond(c) result(r)
    logical, intent(in) :: c
    logical :: r
    r = c
    TRACE if (note(merge(1, 0, c)) == 7) r = .false.
  end function

  function greatest(a) result(r)
    NUMBER, intent(in) :: a(:)
    NUMBER :: r
    integer :: k
    REAL8 r = maxval(a)
    COMPLEX8 r = a(1)
    COMPLEX8 do k = 2, size(a)
    COMPLEX8   if (real(a(k), 8) > real(r, 8)) r = a(k)
    COMPLEX8 end do
    k = 0
  end function

  function inner(a, b) result(r)
    NUMBER, intent(in) :: a(:), b(:)
    NUMBER :: r
    REAL8 r = dot_product(a, b)
    COMPLEX8 r = sum(a * b)
  end function

  subroutine repeated(step, u, n)
    interface
      subroutine step(u_)
        NUMBER, intent(in) :: u_
      end subroutine
    end interface
    NUMBER, intent(in) :: u
    integer, intent(in) :: n
    integer :: k
    do k = 1, n
      call step(u * k)
    end do
  end subroutine

