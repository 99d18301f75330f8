! random_number and input statements write over numbers that carry derivatives, or leave some of them as they are.
module overwriting
  implicit none
  type pair
    integer :: count = 1
    real(8) :: a = 1, b(2) = 2
    real(4) :: c = 3
  end type
  type owner
    real(8), allocatable :: v(:)
  end type
  real(8), allocatable :: held(:)
  real(8) :: common_part
contains
  subroutine start()
    integer :: seed(64)
    seed = 5
    call random_seed(put=seed)
  end subroutine

  function variates(x) result(r)
    real(8), intent(in) :: x(3)
    real(8) :: r, z, several(3), sparse(5)
    real(4) :: single
    type(owner) :: owned
    integer :: i
    call start()
    r = 0
    z = x(1) * x(2)
    several = x
    sparse = x(3)**2
    single = real(x(1), 4)
    owned%v = x * x(2)
    do i = 1, 4
      r = r + z**2 + several(2)**3 + sparse(1) * sparse(2) + owned%v(3)**2
      call random_number(z)
      z = x(1) + x(2) * z
      if (mod(i, 2) == 0) call random_number(several)
      several = several * x(3)
      call random_number(sparse(1:5:2))
      sparse = sparse * x(1) + sparse(1)
      call random_number(single)                 ! what was rounded from x(1) is never used
      call random_number(owned%v)
      owned%v = owned%v * z
      r = r + single * x(3)
    end do
  end function

  function arrays_read(x) result(r)
    real(8), intent(in) :: x(3)
    real(8) :: r, a(3), b(2, 2), d
    complex(8) :: z
    type(pair) :: p
    character(60) :: text
    integer :: unit, status, i
    a = x**2
    b = x(1) * x(2)
    z = cmplx(x(1), x(3), 8)
    p%a = x(1)
    p%b = x(2:3)
    p%c = 0
    d = x(3)
    r = a(1) * a(2) * d**2 + p%b(1)**2
    text = '1.5, , 2.5'
    read (text, *) a                             ! a(2) stays
    r = r + a(1) * a(2) * a(3) * x(2)
    text = '0.25 0.5'
    read (text, *, iostat=status) a              ! a(3) stays
    r = r + a(1) * a(2)**2 * x(1) + a(3) * x(3)
    text = '3.5 (1.5, 2.0) 7 0.5'
    read (text, *) d, z, p%count, p%b(2)
    r = r + d * x(1) + abs(z) * x(2) + p%count * p%b(1) * p%b(2) * x(1)
    text = '4 1.5 0.25 0.75 2'
    read (text, *) p
    r = r + p%count * p%a * p%b(1) * p%b(2) * p%c * x(3)
    open (newunit=unit, status='scratch', form='unformatted')
    write (unit) (0.5d0 * i, i=1, 4)
    rewind (unit)
    read (unit) (b(i, 2), b(i, 1), i=1, 2)
    close (unit)
    r = r + sum(b) * x(1) + b(1, 1) * x(2)
  end function

  function namelists(x) result(r)
    real(8), intent(in) :: x(3)
    real(8) :: r, alone
    real(4) :: small(2)
    type(pair) :: p
    character(80) :: text
    namelist /parameters/ alone, small, p, held, common_part
    held = x * x(2)
    common_part = x(1)
    alone = x(1) * x(2)
    small = 1
    p%a = x(3)
    p%b = x(1)
    text = '&parameters alone = 1.5, held(2) = 2.5, p%b(2) = 0.25, small = 2*0.5 /'
    read (text, nml=parameters)
    r = alone * x(1) + product(held) + p%a**2 * p%b(1) * p%b(2) + common_part**2 * sum(small)
    text = '&parameters common_part = 0.5 held = 3*2.0 /'
    read (text, nml=parameters)
    r = r + alone * x(1) + product(held) * x(3) + p%a * common_part
  end function
end module

program main
  use check
  use overwriting
  implicit none
  real(8) :: x(3) = [0.7d0, 1.1d0, -0.4d0], dx(3)
  dx = 0
  call autodiff(variates, x, dx)
  call compare("variates", variates, x, dx)
  call agree("variates", fwddiff(variates, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(arrays_read, x, dx)
  call compare("arrays_read", arrays_read, x, dx)
  call agree("arrays_read", fwddiff(arrays_read, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(namelists, x, dx)
  call compare("namelists", namelists, x, dx)
  call agree("namelists", fwddiff(namelists, (x), direction(x)), x, dx)
  call finish()
end program
