C     Fixed form and implicit typing: statement functions, labelled and shared loops, computed and arithmetic jumps,
C     equivalence of numbers of one type, data statements.
      real*8 function f(x)
      implicit real*8 (a-h, o-z)
      dimension x(3), w(3), v(2)
      equivalence (w(2), v(1))
      data factor /1.5d0/
      square(t) = t * t
      do 10 i = 1, 3
   10 w(i) = square(x(i)) * factor
      v(1) = v(1) + x(1) *
     &       x(2)
      s = 0
      do 20 i = 1, 3
      do 20 j = i, 3
   20 s = s + w(i) * x(j)
      k = 2
      go to (30, 40, 50), k
   30 s = -s
   40 s = s * w(3)
   50 if (s) 60, 70, 70
   60 s = s * 2
   70 continue
      f = s
      end

      program main
      use check
      implicit none
      real*8, external :: f
      real*8 x(3), dx(3)
      data x /0.7d0, 1.1d0, -0.4d0/
      dx = 0
      call autodiff(f, x, dx)
      call compare("f", f, x, dx)
      call agree("f", fwddiff(f, (x), direction(x)), x, dx)
      call finish()
      end
