! threadprivate on teams of threads: variables of modules, COMMON blocks, saved variables, what other code has set.
! flags: -fopenmp
module work
  implicit none
  real(8) :: buffer(4), scale
  type pair
    real(8) :: a, b(2)
    integer :: n
  end type
  type(pair) :: of_type
  !$omp threadprivate(buffer, scale, of_type)
contains
  subroutine fill(x, i)
    real(8), intent(in) :: x(20)
    integer, intent(in) :: i
    integer :: k
    do k = 1, 4
      buffer(k) = x(mod(i + k, 20) + 1) * scale
    end do
    of_type%b(2) = x(i) * of_type%a
    of_type%n = i
  end subroutine
  real(8) function given(x)
    real(8), intent(inout) :: x(20)
    real(8) :: y(20)
    integer :: i
    !$omp parallel do copyin(scale, of_type) schedule(dynamic)
    do i = 1, 20
      call fill(x, i)
      y(i) = buffer(1) * buffer(4) + of_type%b(2) * of_type%n
    end do
    given = sum(y**2)
  end function
  real(8) function kept(x)
    real(8), intent(inout) :: x(20)
    real(8) :: s
    integer :: i
    scale = x(1)
    s = 0
    !$omp parallel copyin(scale)
    scale = scale * x(2)
    !$omp end parallel
    !$omp parallel do reduction(+:s)
    do i = 1, 20
      s = s + scale * x(i)**2
    end do
    kept = s
  end function
  real(8) function common_block(x)
    real(8), intent(inout) :: x(20)
    real(8) :: a, b(3), s
    common /block/ a, b
    !$omp threadprivate(/block/)
    integer :: i
    a = x(1)
    b = x(2:4)
    s = 0
    !$omp parallel do copyin(/block/) reduction(+:s)
    do i = 1, 20
      call use_block(x, i)
      s = s + a * b(2)
    end do
    common_block = s
  end function
  subroutine use_block(x, i)
    real(8), intent(in) :: x(20)
    integer, intent(in) :: i
    real(8) :: a, b(3)
    common /block/ a, b
    !$omp threadprivate(/block/)
    b(2) = x(i) * b(1)
    a = x(mod(i, 20) + 1) * b(3)
  end subroutine
  real(8) function saved(x)
    real(8), intent(inout) :: x(20)
    real(8), save :: part
    !$omp threadprivate(part)
    real(8) :: total
    integer :: i
    total = 0
    !$omp parallel
    part = 0
    !$omp do
    do i = 1, 20
      part = part + x(i)**2
    end do
    !$omp critical
    total = total + part
    !$omp end critical
    !$omp end parallel
    saved = total * total
  end function
end module
program variables
  use check
  use omp_lib
  use work
  implicit none
  real(8) :: x(20), dx(20), x0(20)
  integer :: i, k, teams(4) = [1, 2, 3, 8]
  do i = 1, 20
    x0(i) = 0.1d0 * i - 0.43d0
  end do
  do k = 1, 4
    call omp_set_num_threads(teams(k))
    scale = 3 * k
    of_type%a = 0.5d0 * k
    x = x0; dx = 0
    call autodiff(given, x, dx)
    call compare("given", given, x0, dx)
    x = x0
    call agree("given", fwddiff(given, x, direction(x0)), x0, dx)
    x = x0; dx = 0
    call autodiff(kept, x, dx)
    call compare("kept", kept, x0, dx)
    x = x0
    call agree("kept", fwddiff(kept, x, direction(x0)), x0, dx)
    x = x0; dx = 0
    call autodiff(common_block, x, dx)
    call compare("common_block", common_block, x0, dx)
    x = x0
    call agree("common_block", fwddiff(common_block, x, direction(x0)), x0, dx)
    x = x0; dx = 0
    call autodiff(saved, x, dx)
    call compare("saved", saved, x0, dx)
    x = x0
    call agree("saved", fwddiff(saved, x, direction(x0)), x0, dx)
  end do
  call finish()
end program
