; A function without debug information, for tests/python.
define double @dot(ptr %x, i32 %n) {
entry:
  %c = icmp sgt i32 %n, 0
  br i1 %c, label %loop, label %end
loop:
  %i = phi i32 [0, %entry], [%j, %loop]
  %s = phi double [0.0, %entry], [%t, %loop]
  %p = getelementptr double, ptr %x, i32 %i
  %v = load double, ptr %p
  %q = fmul double %v, %v
  %t = fadd double %s, %q
  %j = add i32 %i, 1
  %d = icmp eq i32 %j, %n
  br i1 %d, label %end, label %loop
end:
  %r = phi double [0.0, %entry], [%t, %loop]
  ret double %r
}
