! Constructs of OpenMP whose regions run on teams.
! flags: -fopenmp
module constructs
  use omp_lib
  implicit none
  type pair
    real(8) :: a, v(3)
  end type
contains
  subroutine work(x, y)
    real(8) :: x(6), y(40)
    integer :: i
    !$omp do schedule(dynamic, 2)
    do i = 1, 20
      y(i) = x(mod(i, 6) + 1) * x(1)
    end do
  end subroutine
  real(8) function do_simple(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: y(40)
    integer :: i
    !$omp parallel do
    do i = 1, 20
      y(i) = sin(x(mod(i, 6) + 1) * i)
    end do
    r = sum(y(1:20) * y(20:1:-1))
  end function
  real(8) function do_schedules(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: y(40)
    integer :: i, j
    !$omp parallel
    !$omp do schedule(static, 3)
    do i = 1, 20
      y(i) = sin(x(mod(i, 6) + 1) * i)
    end do
    !$omp do schedule(guided)
    do i = 20, 1, -1
      y(i) = y(i) * x(1)
    end do
    !$omp do schedule(runtime)
    do i = 1, 19, 2
      y(i) = y(i) + x(2)
    end do
    !$omp do schedule(nonmonotonic: dynamic, 4) private(j)
    do i = 1, 20
      do j = 1, 3
        y(i) = y(i) * 0.9d0 + x(j)
      end do
    end do
    !$omp end parallel
    r = sum(y(1:20) * y(20:1:-1))
  end function
  real(8) function do_collapse(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: z(6, 6)
    integer :: i, j
    !$omp parallel do collapse(2) schedule(dynamic)
    do i = 1, 4
      do j = 1, 5
        z(i, j) = x(i) * x(j) * i
      end do
    end do
    r = sum(z(1:4, 1:5)**2)
  end function
  real(8) function do_ordered(x) result(r)
    real(8), intent(inout) :: x(6)
    integer :: i
    r = 0
    !$omp parallel do ordered schedule(dynamic)
    do i = 1, 20
      !$omp ordered
      r = r * x(1) + sin(x(mod(i, 6) + 1))
      !$omp end ordered
    end do
  end function
  real(8) function reductions(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: a, b, c
    integer :: i
    r = 0; a = 1d9; b = -1d9; c = 1
    !$omp parallel do reduction(+: r) reduction(min: a) reduction(max: b) reduction(*: c)
    do i = 1, 20
      r = r + x(mod(i, 6) + 1)
      a = min(a, x(mod(i, 6) + 1) * i)
      b = max(b, x(mod(i, 6) + 1) * i)
      c = c * (1 + 0.1d0 * x(mod(i, 6) + 1))
    end do
    r = r * a * b * c
  end function
  real(8) function reduction_array(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: z(6, 6), w(4)
    integer :: i
    z = 0; w = 0
    !$omp parallel do reduction(+: w)
    do i = 1, 20
      w(mod(i, 4) + 1) = w(mod(i, 4) + 1) + x(mod(i, 6) + 1) * i
    end do
    r = sum(w * w)
  end function
  real(8) function reduction_allocatable(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8), allocatable :: al(:)
    integer :: i
    allocate(al(4)); al = 0
    !$omp parallel do reduction(+: al)
    do i = 1, 20
      al(mod(i, 4) + 1) = al(mod(i, 4) + 1) + x(mod(i, 6) + 1) * i
    end do
    r = sum(al * al)
    deallocate(al)
  end function
  real(8) function reduction_logical(x) result(r)
    real(8), intent(inout) :: x(6)
    integer :: i, k
    logical :: ok, any_
    ok = .true.; any_ = .false.; r = 0; k = 0
    !$omp parallel do reduction(.and.: ok) reduction(.or.: any_) reduction(+: r) reduction(ior: k)
    do i = 1, 20
      ok = ok .and. x(1) > -5; any_ = any_ .or. i == 7; r = r + x(mod(i, 6) + 1)**2; k = ior(k, i)
    end do
    if (ok .and. any_ .and. k == 31) r = r * r
  end function
  real(8) function reduction_complex(x) result(r)
    real(8), intent(inout) :: x(6)
    complex(8) :: cz
    integer :: i
    cz = 0
    !$omp parallel do reduction(+: cz)
    do i = 1, 20
      cz = cz + cmplx(x(mod(i, 6) + 1), i, 8)
    end do
    r = abs(cz)
  end function
  real(8) function privates(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: y(40), a, b, c
    integer :: i
    a = x(1); b = x(2)
    !$omp parallel do private(c) firstprivate(a) lastprivate(b)
    do i = 1, 20
      c = a * x(mod(i, 6) + 1); b = c * i; y(i) = c * c
    end do
    r = b * sum(y(1:20))
  end function
  real(8) function private_arrays(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: y(40), w(4), v(4)
    integer :: i
    w = x(1:4)
    !$omp parallel do firstprivate(w) private(v)
    do i = 1, 20
      v = w * x(mod(i, 6) + 1); y(i) = sum(v * v)
    end do
    r = sum(y(1:20))
  end function
  real(8) function private_allocatable(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: y(40)
    real(8), allocatable :: al(:), bl(:)
    integer :: i
    allocate(al(4)); al = x(1:4)
    !$omp parallel do firstprivate(al) private(bl)
    do i = 1, 20
      allocate(bl(3)); bl = al(1:3) * x(mod(i, 6) + 1); y(i) = sum(bl * bl); deallocate(bl)
    end do
    r = sum(y(1:20)) + sum(al)
  end function
  real(8) function sections(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: a, b, c
    !$omp parallel sections
    a = sin(x(1)) * x(2)
    !$omp section
    b = cos(x(3)) * x(4)
    !$omp section
    c = x(5) * x(6)
    !$omp end parallel sections
    r = a * b + c * a
  end function
  real(8) function master_masked(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: a, b
    !$omp parallel
    !$omp master
    a = x(1) * x(2)
    !$omp end master
    !$omp barrier
    !$omp masked
    b = a * x(3)
    !$omp end masked
    !$omp end parallel
    r = a * b
  end function
  real(8) function critical(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: a
    integer :: i
    r = 1; a = 1
    !$omp parallel do
    do i = 1, 20
      !$omp critical
      r = r + x(mod(i, 6) + 1) * i
      !$omp end critical
      !$omp critical (named)
      a = a * (1 + 0.1d0 * x(mod(i, 6) + 1))
      !$omp end critical (named)
    end do
    r = r * a
  end function
  real(8) function workshare(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: y(40)
    integer :: i
    !$omp parallel
    !$omp workshare
    y(1:6) = x * x
    y(7:12) = sin(x)
    !$omp end workshare
    !$omp workshare
    where (y(1:6) > 0.3d0) y(1:6) = y(1:6) * x(1)
    forall (i = 1:6) y(12 + i) = y(i) * y(6 + i)
    r = sum(y(1:18))
    !$omp end workshare
    !$omp end parallel
  end function
  real(8) function parallel_workshare(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: y(40)
    !$omp parallel workshare
    y(1:6) = x * x
    !$omp end parallel workshare
    r = sum(y(1:6)**2)
  end function
  real(8) function do_concurrent(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: y(40)
    integer :: i
    do concurrent (i = 1:20)
      y(i) = sin(x(mod(i, 6) + 1) * i)
    end do
    r = sum(y(1:20) * y(20:1:-1))
  end function
  real(8) function simd(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: y(40)
    integer :: i
    !$omp simd
    do i = 1, 20
      y(i) = sin(x(mod(i, 6) + 1) * i)
    end do
    r = 0
    !$omp parallel do simd reduction(+: r)
    do i = 1, 20
      r = r + y(i)**2
    end do
  end function
  real(8) function nested(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: z(6, 6)
    integer :: i, j
    !$omp parallel do num_threads(2)
    do i = 1, 4
      !$omp parallel do num_threads(2)
      do j = 1, 5
        z(i, j) = sin(x(i) * x(j)) * i
      end do
    end do
    r = sum(z(1:4, 1:5)**2)
  end function
  real(8) function locks(x) result(r)
    real(8), intent(inout) :: x(6)
    integer :: i
    integer(omp_lock_kind) :: lock
    r = 0
    call omp_init_lock(lock)
    !$omp parallel do
    do i = 1, 20
      call omp_set_lock(lock)
      r = r + x(mod(i, 6) + 1) * i
      call omp_unset_lock(lock)
    end do
    call omp_destroy_lock(lock)
    r = r * r
  end function
  real(8) function spmd(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: y(40)
    integer :: i, j, k
    !$omp parallel private(i, j, k)
    j = omp_get_thread_num(); k = omp_get_num_threads()
    do i = 20 * j / k + 1, 20 * (j + 1) / k
      y(i) = x(mod(i, 6) + 1) * x(1)
    end do
    !$omp end parallel
    r = sum(y(1:20)**2)
  end function
  real(8) function time_loop(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: y(40)
    integer :: i, k
    y(1:6) = x
    !$omp parallel private(k)
    do k = 1, 5
      !$omp do
      do i = 2, 5
        y(6 + i) = y(i) + 0.1d0 * (y(i + 1) - 2 * y(i) + y(i - 1)) * y(i)
      end do
      !$omp do
      do i = 2, 5
        y(i) = y(6 + i)
      end do
    end do
    !$omp end parallel
    r = sum(y(1:6)**2)
  end function
  real(8) function lastprivate_array(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: w(4)
    integer :: i
    !$omp parallel do lastprivate(w)
    do i = 1, 20
      w = x(1:4) * x(mod(i, 6) + 1)
    end do
    r = sum(w * w)
  end function
  real(8) function alloc_in_region(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8), allocatable :: al(:)
    integer :: i
    r = 0
    !$omp parallel private(al, i) reduction(+: r)
    allocate(al(20))
    !$omp do
    do i = 1, 20
      al(i) = x(mod(i, 6) + 1) * i
      r = r + al(i)**2
    end do
    deallocate(al)
    !$omp end parallel
  end function
  real(8) function pointers(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8), pointer :: ptr(:)
    integer :: i
    allocate(ptr(20))
    !$omp parallel do
    do i = 1, 20
      ptr(i) = x(mod(i, 6) + 1) * i
    end do
    r = sum(ptr**2)
    deallocate(ptr)
  end function
  real(8) function called_in_region(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: y(40)
    !$omp parallel
    call work(x, y)
    !$omp end parallel
    r = sum(y(1:20)**2)
  end function
end module
program openmp_constructs
  use check
  use constructs
  implicit none
  real(8) :: x(6), dx(6)
  real(8), parameter :: at(6) = [0.6d0, -0.7d0, 1.1d0, 0.45d0, -0.3d0, 0.83d0]
  x = at; dx = 0
  call autodiff(do_simple, x, dx)
  call compare("do_simple", do_simple, at, dx)
  x = at
  call agree("do_simple", fwddiff(do_simple, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(do_schedules, x, dx)
  call compare("do_schedules", do_schedules, at, dx)
  x = at
  call agree("do_schedules", fwddiff(do_schedules, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(do_collapse, x, dx)
  call compare("do_collapse", do_collapse, at, dx)
  x = at
  call agree("do_collapse", fwddiff(do_collapse, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(do_ordered, x, dx)
  call compare("do_ordered", do_ordered, at, dx)
  x = at
  call agree("do_ordered", fwddiff(do_ordered, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(reductions, x, dx)
  call compare("reductions", reductions, at, dx)
  x = at
  call agree("reductions", fwddiff(reductions, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(reduction_array, x, dx)
  call compare("reduction_array", reduction_array, at, dx)
  x = at
  call agree("reduction_array", fwddiff(reduction_array, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(reduction_allocatable, x, dx)
  call compare("reduction_allocatable", reduction_allocatable, at, dx)
  x = at
  call agree("reduction_allocatable", fwddiff(reduction_allocatable, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(reduction_logical, x, dx)
  call compare("reduction_logical", reduction_logical, at, dx)
  x = at
  call agree("reduction_logical", fwddiff(reduction_logical, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(reduction_complex, x, dx)
  call compare("reduction_complex", reduction_complex, at, dx)
  x = at
  call agree("reduction_complex", fwddiff(reduction_complex, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(privates, x, dx)
  call compare("privates", privates, at, dx)
  x = at
  call agree("privates", fwddiff(privates, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(private_arrays, x, dx)
  call compare("private_arrays", private_arrays, at, dx)
  x = at
  call agree("private_arrays", fwddiff(private_arrays, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(private_allocatable, x, dx)
  call compare("private_allocatable", private_allocatable, at, dx)
  x = at
  call agree("private_allocatable", fwddiff(private_allocatable, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(sections, x, dx)
  call compare("sections", sections, at, dx)
  x = at
  call agree("sections", fwddiff(sections, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(master_masked, x, dx)
  call compare("master_masked", master_masked, at, dx)
  x = at
  call agree("master_masked", fwddiff(master_masked, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(critical, x, dx)
  call compare("critical", critical, at, dx)
  x = at
  call agree("critical", fwddiff(critical, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(workshare, x, dx)
  call compare("workshare", workshare, at, dx)
  x = at
  call agree("workshare", fwddiff(workshare, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(parallel_workshare, x, dx)
  call compare("parallel_workshare", parallel_workshare, at, dx)
  x = at
  call agree("parallel_workshare", fwddiff(parallel_workshare, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(do_concurrent, x, dx)
  call compare("do_concurrent", do_concurrent, at, dx)
  x = at
  call agree("do_concurrent", fwddiff(do_concurrent, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(simd, x, dx)
  call compare("simd", simd, at, dx)
  x = at
  call agree("simd", fwddiff(simd, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(nested, x, dx)
  call compare("nested", nested, at, dx)
  x = at
  call agree("nested", fwddiff(nested, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(locks, x, dx)
  call compare("locks", locks, at, dx)
  x = at
  call agree("locks", fwddiff(locks, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(spmd, x, dx)
  call compare("spmd", spmd, at, dx)
  x = at
  call agree("spmd", fwddiff(spmd, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(time_loop, x, dx)
  call compare("time_loop", time_loop, at, dx)
  x = at
  call agree("time_loop", fwddiff(time_loop, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(lastprivate_array, x, dx)
  call compare("lastprivate_array", lastprivate_array, at, dx)
  x = at
  call agree("lastprivate_array", fwddiff(lastprivate_array, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(alloc_in_region, x, dx)
  call compare("alloc_in_region", alloc_in_region, at, dx)
  x = at
  call agree("alloc_in_region", fwddiff(alloc_in_region, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(pointers, x, dx)
  call compare("pointers", pointers, at, dx)
  x = at
  call agree("pointers", fwddiff(pointers, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(called_in_region, x, dx)
  call compare("called_in_region", called_in_region, at, dx)
  x = at
  call agree("called_in_region", fwddiff(called_in_region, x, direction(at)), at, dx)
  call finish()
end program
