! Cray pointers as legacy codes use them: work arrays that are laid out by hand, dynamic memory, addresses in common blocks,
! in modules and in tables, pointers that are exchanged at each step, and lists of blocks.
module shared
  implicit none
  integer(8) :: blocks(3), pm
  real(8) :: am(4)
  pointer (pm, am)
contains
  subroutine scale(p, n, s)
    integer(8) :: p
    integer :: n
    real(8) :: s, v(n)
    pointer (p, v)
    v = v * s
  end subroutine

  subroutine inside
    real(8) :: b(2, 2)
    pointer (q, b)
    common /heap/ q
    am(3) = am(1) * am(3) + am(4)
    b(1, 1) = b(1, 1) * b(2, 2)
  end subroutine
end module

module cases
  use shared
  implicit none
contains
  real(8) function laid_out(work, x, n)
    integer :: n
    real(8) :: work(*), x(n), m(n, n), rhs(n), sol(n)
    pointer (pm1, m), (pr, rhs), (ps, sol)
    integer :: i, j
    pm1 = loc(work)
    pr = loc(work(n * n + 1))
    ps = pr + 8 * n
    do j = 1, n
      do i = 1, n
        m(i, j) = x(i) * x(j)
      end do
      rhs(j) = x(j)**2
    end do
    sol = matmul(m, rhs)
    laid_out = sum(sol * rhs)
  end function

  real(8) function kept_elsewhere(x)
    real(8) :: x(4), a(4)
    integer :: i
    pointer (p, a)
    common /heap/ p
    p = malloc(32)
    pm = malloc(32)
    a = x * x
    am = x**2
    call inside
    kept_elsewhere = am(3) + a(1) * a(2)
    call free(p)
    call free(pm)
    do i = 1, 3
      blocks(i) = malloc(32)
      p = blocks(i)
      a = x * i
      call scale(blocks(i), 4, x(i))
    end do
    do i = 1, 3
      p = blocks(i)
      kept_elsewhere = kept_elsewhere * a(i) + a(4)
      call free(p)
    end do
  end function

  real(8) function exchanged(x)
    real(8) :: x(4), a(4), b(4)
    integer(8) :: t
    integer :: i, k
    pointer (p, a), (q, b)
    p = malloc(32)
    q = malloc(32)
    a = x
    do i = 1, 5
      do k = 1, 4
        b(k) = a(k) + 0.1d0 * a(mod(k, 4) + 1)**2
      end do
      t = p
      p = q
      q = t
    end do
    exchanged = sum(a)
    call free(p)
    call free(q)
  end function

  real(8) function linked(x)
    real(8) :: x(4), value
    integer(8) :: next, first
    integer :: i
    pointer (pv, value), (pn, next)
    first = 0
    do i = 1, 4
      pv = malloc(16)
      pn = pv + 8
      value = x(i) * i
      next = first
      first = pv
    end do
    linked = 1
    do while (first /= 0)
      pv = first
      pn = first + 8
      linked = linked * 0.5d0 + value**2
      first = next
      call free(pv)
    end do
  end function

  real(8) function text(x)
    real(8) :: x(4), y(2)
    character(16) :: c
    character(8) :: s(2)
    pointer (p, c), (q, s)
    y = x(1:2)**2
    p = loc(y)
    q = malloc(16)
    s(1) = c(9:16)
    s(2) = c(1:8)
    c = s(1) // s(2)
    text = y(1) * 3 + y(2) * y(1)
    call free(q)
  end function
end module

real(8) function f(x)
  use cases
  real(8) :: x(4), work(64)
  f = laid_out(work, x, 4) + kept_elsewhere(x) + exchanged(x) + linked(x) + text(x)
end function

program main
  use check
  real(8), external :: f
  real(8) :: x(4) = [1.3d0, 0.7d0, 2.1d0, 0.4d0], dx(4) = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  call finish()
end program
