! The gradient of a misfit of temperatures with respect to the conductivity of every cell, on threads.
program heat
  use, intrinsic :: iso_fortran_env, only: real64
  use omp_lib
  use enzyme, only: enzyme_const, enzyme_dup
  use plate
  implicit none
  interface
    subroutine gradient(f, n_is, n, steps_is, steps, c_is, c, d) bind(c, name="__enzyme_autodiff_of_plate")
      import :: real64
      external :: f
      integer, intent(in) :: n_is, n, steps_is, steps, c_is
      real(real64), intent(inout) :: c(*), d(*)
    end subroutine
  end interface
  integer, parameter :: n = 200, steps = 10
  real(real64), allocatable :: conductivity(:, :), found(:, :)
  real(real64) :: primal(2), reverse(2), expected, above, at, value
  real(real64), parameter :: h = 1e-5_real64
  integer :: k, threads, wrong, cell
  threads = omp_get_max_threads()
  allocate(conductivity(n, n), found(n, n))
  conductivity = reshape([(1 + 0.3_real64 * sin(0.01_real64 * k), k = 1, n * n)], [n, n])
  do k = 1, 2
    call omp_set_num_threads(merge(1, threads, k == 1))
    primal(k) = seconds(.false.)
    reverse(k) = seconds(.true.)
  end do
  wrong = 0
  do k = 1, 4
    cell = 37 * k
    at = conductivity(cell, cell)
    conductivity(cell, cell) = at + h
    above = misfit(n, steps, conductivity)
    conductivity(cell, cell) = at - h
    expected = (above - misfit(n, steps, conductivity)) / (2 * h)
    conductivity(cell, cell) = at
    value = found(cell, cell)
    if (abs(value - expected) > 1e-6_real64 * (1 + abs(expected))) wrong = wrong + 1
    print '(a, i4, 2(a, f14.9), a)', 'cell ', cell, ': gradient ', value, ', central difference ', expected, &
          trim(merge('  DISAGREES', '           ', abs(value - expected) > 1e-6_real64 * (1 + abs(expected))))
  end do
  print '(i0, a, f5.2, a, f5.2)', threads, ' threads: speed-up of the function ', primal(1) / primal(2), &
        ', of its gradient ', reverse(1) / reverse(2)
  print '(a, f5.2, a, f5.2, a, i0)', 'gradient / function: ', reverse(1) / primal(1), ' with one thread, ', &
        reverse(2) / primal(2), ' with ', threads
  if (wrong > 0) error stop 1

contains

  ! The seconds that the function or its gradient takes: the least of three times.
  real(real64) function seconds(is_gradient)
    logical, intent(in) :: is_gradient
    real(real64) :: begin
    integer :: again
    seconds = huge(seconds)
    do again = 1, 3
      found = 0
      begin = omp_get_wtime()
      if (is_gradient) then
        call gradient(misfit, enzyme_const, n, enzyme_const, steps, enzyme_dup, conductivity, found)
      else
        value = misfit(n, steps, conductivity)
      end if
      seconds = min(seconds, omp_get_wtime() - begin)
    end do
  end function
end program
