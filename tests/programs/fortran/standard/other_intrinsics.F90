#include "check_each.h"
module functions
  use, intrinsic :: iso_fortran_env
  implicit none
  type shape
    real(8) :: area
  end type
  type, extends(shape) :: disk
    real(8) :: radius
  end type
contains
  real(8) function of_bits(x) result(y)
    real(8), intent(in) :: x(4)
    integer(int32) :: i, k
    i = nint(x(2) * 10)
    k = ibset(i, 3) + ibclr(i, 1) + not(i) + ior(i, 8) + ishftc(i, 2, 8) + shiftr(i, 1) + shifta(-i, 1)
    k = k + dshiftl(i, 5, 3) + dshiftr(0, i, 30) + maskl(2, 4) * 0 + maskr(3) + trailz(i) + poppar(i)
    call mvbits(i, 0, 2, k, 4)
    y = k * x(1) + x(2)**2
    if (btest(i, 0) .and. bge(i, 5) .and. bgt(i, 5)) y = y + x(3)
    if (ble(i, 50) .and. blt(i, 50)) y = y * x(4)
  end function

  real(8) function of_characters(x) result(y)
    real(8), intent(in) :: x(4)
    character(20) :: name
    name = "  weight of" // achar(32) // char(65) // new_line("a")
    y = x(1) * iachar("a") + x(2) * ichar(name(3:3)) + x(3) * index(name, "of") * len(name)
    name = adjustl(name)
    y = y * len_trim(name) + scan(name, "g") * x(4) + verify(name, "weight") * x(1)**2
    if (lge(name, "a") .and. lgt(name, "a") .and. .not. lle(name, "a") .and. .not. llt(name, "a")) y = y + x(2) * x(3)
    if (repeat("ab", 2) == "abab" .and. adjustr(name) /= name) y = y + x(4)**2
  end function

  real(8) function of_types(x) result(y)
    real(8), intent(in) :: x(4)
    class(shape), allocatable :: a
    type(disk) :: b
    b%area = x(3)
    b%radius = x(4)
    allocate(a, source=b)
    y = bit_size(1) * x(1) + range(x(1)) * x(2) + minexponent(x(1)) * x(3) * 1d-3 + selected_int_kind(9) * a%area
    y = y + storage_size(x(1)) * x(4) + selected_char_kind("DEFAULT") * x(1) * x(2)
    if (extends_type_of(a, b) .and. same_type_as(a, b)) y = y * b%radius
  end function

  real(8) function of_system(x) result(y)
    real(8), intent(in) :: x(4)
    real(8) :: seconds, noise(2)
    real(8), pointer :: p
    integer :: count, rate, values(8), length, status, size
    integer, allocatable :: seed(:)
    character(80) :: text
    p => null()
    call random_seed(size=size)
    allocate(seed(size))
    seed = 7
    call random_seed(put=seed)
    call random_number(noise)
    call cpu_time(seconds)
    call system_clock(count, rate)
    call date_and_time(values=values)
    call get_command(text, length)
    call get_command_argument(0, text)
    call get_environment_variable("HOME", text, length, status)
    y = x(1) * noise(1) + x(2) * noise(2) + x(3) * x(4)
    if (seconds < 0 .or. rate < 0 .or. values(1) < 0 .or. associated(p) .or. command_argument_count() > 0) y = 0
    if (is_iostat_end(status) .or. is_iostat_eor(status)) y = 0
    if (len(compiler_version()) + len(compiler_options()) > 0) y = y * x(1)
  end function
end module

program main
  use check
  use functions
  real(8) :: x(4) = [0.7d0, 1.1d0, -0.4d0, 0.9d0], dx(4)
  CHECK(of_bits)
  CHECK(of_characters)
  CHECK(of_types)
  CHECK(of_system)
  call finish()
end program
