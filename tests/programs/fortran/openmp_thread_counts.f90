! A slot for each thread of a region: all are read. Plain calls keep their threads.
! flags: -fopenmp
module thread_slots
  use omp_lib
  implicit none
  integer :: seen = 0
contains
  real(8) function slots(x)
    real(8), intent(inout) :: x(6)
    real(8), allocatable :: least(:)
    integer :: i, t
    allocate(least(0:omp_get_max_threads()-1))
    least = -1d0
    least(0) = 1d20
    !$omp parallel private(t)
    t = omp_get_thread_num()
    least(t) = 1d20
    !$omp single
    seen = omp_get_num_threads()
    !$omp end single
    !$omp do
    do i = 1, 6
      least(t) = min(least(t), x(i)**2)
    end do
    !$omp end parallel
    slots = minval(least)
    deallocate(least)
  end function
  real(8) function old(x)
    real(8), intent(inout) :: x(6)
    real(8) :: least(64)
    integer :: i, t, n
    n = min(omp_get_num_procs(), 64)
    least(1:n) = 0
    !$omp parallel do private(t) num_threads(n)
    do i = 1, 6
      t = omp_get_thread_num() + 1
      least(t) = least(t) + x(i)**3
    end do
    old = sum(least(1:n))
  end function
end module
program openmp_thread_counts
  use check
  use thread_slots
  real(8) :: x(6), dx(6)
  call omp_set_num_threads(3)
  x = [4d0, -3d0, 5d0, 6d0, 2.5d0, -7d0]
  dx = 0
  call autodiff(slots, x, dx)
  call same("least", dx(5), 5d0); call same("others", sum(dx), 5d0)
  call same("value", slots(x), 6.25d0)
  call same("seen", dble(seen), 3d0)
  dx = 0
  call autodiff(old, x, dx)
  call same("cubes", sum(dx), 3*sum(x**2))
  call agree("old", fwddiff(old, (x), direction(x)), x, dx)
  call finish()
end
