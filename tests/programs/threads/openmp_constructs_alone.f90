! Constructs of OpenMP that keep regions in teams of one: tasks, variables of threads, copyprivate, cancel, atomics.
! flags: -fopenmp
module constructs
  use omp_lib
  implicit none
  type pair
    real(8) :: a, v(3)
  end type
  real(8) :: tp, tpa(3), cb1, cb2(2)
  common /blk/ cb1, cb2
  !$omp threadprivate(tp, tpa)
  !$omp threadprivate(/blk/)
contains
  recursive subroutine fib(x, n, r)
    real(8) :: x(6), r, a, b
    integer :: n
    if (n < 2) then
      r = x(n + 1) * x(3)
      return
    end if
    !$omp task shared(a)
    call fib(x, n - 1, a)
    !$omp end task
    !$omp task shared(b)
    call fib(x, n - 2, b)
    !$omp end task
    !$omp taskwait
    r = 0.9d0 * a + 0.1d0 * b * b
  end subroutine
  real(8) function single_copyprivate(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: a
    integer :: i
    r = 0
    !$omp parallel private(a)
    !$omp single
    a = x(1) * x(2)
    !$omp end single copyprivate(a)
    !$omp do reduction(+: r)
    do i = 1, 20
      r = r + a * x(mod(i, 6) + 1)
    end do
    !$omp end parallel
  end function
  real(8) function single_copyprivate_array(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: w(4)
    integer :: i
    r = 0
    !$omp parallel private(w)
    !$omp single
    w = x(1:4) * x(2)
    !$omp end single copyprivate(w)
    !$omp do reduction(+: r)
    do i = 1, 20
      r = r + w(mod(i, 4) + 1) * x(mod(i, 6) + 1)
    end do
    !$omp end parallel
  end function
  real(8) function atomics(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: a, b, c
    integer :: i
    r = 0; a = 1; b = 0
    !$omp parallel do
    do i = 1, 20
      !$omp atomic
      r = r + x(mod(i, 6) + 1) * i
      !$omp atomic update
      a = a * (1 + 0.1d0 * x(mod(i, 6) + 1))
      if (i == 3) then
      !$omp atomic write
      b = x(2) * x(3)
      end if
    end do
    !$omp atomic read
    c = b
    r = r * a + c
  end function
  real(8) function atomic_minmax(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: a, b
    integer :: i
    a = 1d9; b = -1d9
    !$omp parallel do
    do i = 1, 20
      !$omp atomic
      a = min(a, x(mod(i, 6) + 1) * i)
      !$omp atomic
      b = max(b, x(mod(i, 6) + 1) * i)
    end do
    r = a * b
  end function
  real(8) function atomic_capture(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: a, b
    integer :: i
    r = 0; a = 0
    !$omp parallel do ordered
    do i = 1, 20
      !$omp ordered
      !$omp atomic capture
      b = a
      a = a + x(mod(i, 6) + 1)
      !$omp end atomic
      r = r + b * b
      !$omp end ordered
    end do
  end function
  real(8) function atomic_component(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: v(4), a
    integer :: i
    type(pair) :: p
    p%a = x(1); p%v = x(2)
    !$omp parallel do
    do i = 1, 20
      !$omp atomic
      p%a = p%a + x(mod(i, 6) + 1) * i
      !$omp atomic
      p%v(mod(i, 3) + 1) = p%v(mod(i, 3) + 1) + x(mod(i, 6) + 1)
    end do
    r = p%a * sum(p%v)
  end function
  real(8) function atomic_array(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: y(40)
    integer :: i
    y = 0
    !$omp parallel do
    do i = 1, 40
      !$omp atomic
      y(mod(i * 7, 20) + 1) = y(mod(i * 7, 20) + 1) + x(mod(i, 6) + 1) * i
    end do
    r = sum(y(1:20)**2)
  end function
  real(8) function threadprivate(x) result(r)
    real(8), intent(inout) :: x(6)
    integer :: i
    r = 0
    !$omp parallel do reduction(+: r)
    do i = 1, 20
      tp = x(mod(i, 6) + 1) * i; tpa(2) = sin(tp); r = r + tp * tpa(2)
    end do
  end function
  real(8) function copyin(x) result(r)
    real(8), intent(inout) :: x(6)
    integer :: i
    r = 0; tp = x(1) * x(2); tpa = x(1:3)
    !$omp parallel do reduction(+: r) copyin(tp, tpa)
    do i = 1, 20
      r = r + tp * tpa(mod(i, 3) + 1) * x(mod(i, 6) + 1)
    end do
  end function
  real(8) function common_threadprivate(x) result(r)
    real(8), intent(inout) :: x(6)
    integer :: i
    r = 0
    !$omp parallel do reduction(+: r)
    do i = 1, 20
      cb1 = x(mod(i, 6) + 1) * i; cb2(1) = cb1 * cb1; r = r + cb2(1)
    end do
  end function
  real(8) function tasks(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: y(40), a, b
    integer :: i
    !$omp parallel
    !$omp single
    do i = 1, 12
      !$omp task firstprivate(i) shared(y)
      y(i) = sin(x(mod(i, 6) + 1) * i)
      !$omp end task
    end do
    !$omp taskwait
    !$omp taskgroup
    !$omp task shared(a)
    a = sum(y(1:12))
    !$omp end task
    !$omp task shared(b)
    b = y(3) * y(4)
    !$omp end task
    !$omp end taskgroup
    !$omp end single
    !$omp end parallel
    r = a * b
  end function
  real(8) function tasks_depend(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: a, b
    !$omp parallel
    !$omp single
    !$omp task depend(out: a) shared(a)
    a = x(1) * x(2)
    !$omp end task
    !$omp task depend(in: a) depend(out: b) shared(a, b)
    b = a * x(3)
    !$omp end task
    !$omp task depend(inout: b) shared(b)
    b = sin(b)
    !$omp end task
    !$omp end single
    !$omp end parallel
    r = a * b
  end function
  real(8) function taskloop(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: y(40), a
    integer :: i
    !$omp parallel
    !$omp single
    !$omp taskloop grainsize(3)
    do i = 1, 15
      y(i) = sin(x(mod(i, 6) + 1) * i)
    end do
    !$omp taskloop num_tasks(3) private(a)
    do i = 1, 15
      a = y(i); y(i) = a * a
    end do
    !$omp end single
    !$omp end parallel
    r = sum(y(1:15))
  end function
  real(8) function if_clause(x) result(r)
    real(8), intent(inout) :: x(6)
    real(8) :: y(40)
    integer :: i, k
    k = 3
    !$omp parallel do if(k > 2) num_threads(k)
    do i = 1, 20
      y(i) = sin(x(mod(i, 6) + 1) * i)
    end do
    !$omp parallel do if(k > 5)
    do i = 1, 20
      y(i) = y(i) * x(1)
    end do
    r = sum(y(1:20))
  end function
  real(8) function cancel(x) result(r)
    real(8), intent(inout) :: x(6)
    integer :: i
    r = 0
    !$omp parallel
    !$omp do
    do i = 1, 20
      !$omp cancel do if (x(1) > 100)
      !$omp atomic
      r = r + x(mod(i, 6) + 1)
      !$omp cancellation point do
    end do
    !$omp end parallel
    r = r * r
  end function
  real(8) function task_recursion(x) result(r)
    real(8), intent(inout) :: x(6)
    !$omp parallel
    !$omp single
    call fib(x, 6, r)
    !$omp end single
    !$omp end parallel
  end function
end module
program openmp_constructs_alone
  use check
  use constructs
  implicit none
  real(8) :: x(6), dx(6)
  real(8), parameter :: at(6) = [0.6d0, -0.7d0, 1.1d0, 0.45d0, -0.3d0, 0.83d0]
  x = at; dx = 0
  call autodiff(single_copyprivate, x, dx)
  call compare("single_copyprivate", single_copyprivate, at, dx)
  x = at
  call agree("single_copyprivate", fwddiff(single_copyprivate, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(single_copyprivate_array, x, dx)
  call compare("single_copyprivate_array", single_copyprivate_array, at, dx)
  x = at
  call agree("single_copyprivate_array", fwddiff(single_copyprivate_array, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(atomics, x, dx)
  call compare("atomics", atomics, at, dx)
  x = at
  call agree("atomics", fwddiff(atomics, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(atomic_minmax, x, dx)
  call compare("atomic_minmax", atomic_minmax, at, dx)
  x = at
  call agree("atomic_minmax", fwddiff(atomic_minmax, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(atomic_capture, x, dx)
  call compare("atomic_capture", atomic_capture, at, dx)
  x = at
  call agree("atomic_capture", fwddiff(atomic_capture, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(atomic_component, x, dx)
  call compare("atomic_component", atomic_component, at, dx)
  x = at
  call agree("atomic_component", fwddiff(atomic_component, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(atomic_array, x, dx)
  call compare("atomic_array", atomic_array, at, dx)
  x = at
  call agree("atomic_array", fwddiff(atomic_array, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(threadprivate, x, dx)
  call compare("threadprivate", threadprivate, at, dx)
  x = at
  call agree("threadprivate", fwddiff(threadprivate, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(copyin, x, dx)
  call compare("copyin", copyin, at, dx)
  x = at
  call agree("copyin", fwddiff(copyin, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(common_threadprivate, x, dx)
  call compare("common_threadprivate", common_threadprivate, at, dx)
  x = at
  call agree("common_threadprivate", fwddiff(common_threadprivate, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(tasks, x, dx)
  call compare("tasks", tasks, at, dx)
  x = at
  call agree("tasks", fwddiff(tasks, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(tasks_depend, x, dx)
  call compare("tasks_depend", tasks_depend, at, dx)
  x = at
  call agree("tasks_depend", fwddiff(tasks_depend, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(taskloop, x, dx)
  call compare("taskloop", taskloop, at, dx)
  x = at
  call agree("taskloop", fwddiff(taskloop, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(if_clause, x, dx)
  call compare("if_clause", if_clause, at, dx)
  x = at
  call agree("if_clause", fwddiff(if_clause, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(cancel, x, dx)
  call compare("cancel", cancel, at, dx)
  x = at
  call agree("cancel", fwddiff(cancel, x, direction(at)), at, dx)
  x = at; dx = 0
  call autodiff(task_recursion, x, dx)
  call compare("task_recursion", task_recursion, at, dx)
  x = at
  call agree("task_recursion", fwddiff(task_recursion, x, direction(at)), at, dx)
  call finish()
end program
