/* Tasks whose derivatives are tasks: each with a tape of its own, made where the program waited for it.
 * flags: -fopenmp */
#include "on_teams.h"

static double sum_of(const double *x, int from, int count) {
  double left, right;
  if (count <= 3) {
    double sum = 0;
    for (int i = from; i < from + count; i++)
      sum += sin(x[i] * (i % 3 + 1)) * x[i];
    return sum;
  }
#pragma omp task shared(left)
  left = sum_of(x, from, count / 2);
#pragma omp task shared(right)
  right = sum_of(x, from + count / 2, count - count / 2);
#pragma omp taskwait
  return left * 0.5 + right * cos(left);
}

static double tree(double *x) {
  double result = 0;
#pragma omp parallel
#pragma omp single
  result = sum_of(x, 0, N) * x[0];
  return result;
}

/* numbers are handed to tasks by value; nobody waits before the barrier of `single` */
static double unwaited(double *x) {
  double part[N], sum = 0;
#pragma omp parallel
  {
#pragma omp single
    for (int i = 0; i < N; i++) {
      double a = x[i] * x[(i + 1) % N], b = exp(x[i]);
#pragma omp task firstprivate(a, b)
      part[i] = a * sin(b) + x[0] * x[i];
    }
#pragma omp for
    for (int i = 0; i < N; i++)
      part[i] *= part[i] + x[i];
  }
  for (int i = 0; i < N; i++)
    sum += part[i] * part[N - 1 - i];
  return sum;
}

/* all threads make tasks, which write over what other tasks read before the barrier */
static double of_each_thread(double *x) {
  double a[N], b[N], sum = 0;
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < N; i++) {
#pragma omp task
      a[i] = x[i] * x[i] + x[(i + 3) % N];
    }
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < N; i++) {
#pragma omp task
      b[i] = sin(a[i]) * a[(i + 5) % N];
    }
#pragma omp for
    for (int i = 0; i < N; i++) {
#pragma omp task
      a[i] = b[i] * b[(i + 1) % N] * x[1];
    }
  }
  for (int i = 0; i < N; i++)
    sum += a[i] * cos(b[i]);
  return sum;
}

/* one state after the other: each wait ends the tasks of a step */
static double steps(double *x) {
  double now[N], next[N], sum = 0;
  for (int i = 0; i < N; i++)
    now[i] = x[i];
#pragma omp parallel
#pragma omp master
  for (int step = 0; step < 4; step++) {
    for (int from = 0; from < N; from += 8) {
#pragma omp task firstprivate(from)
      for (int i = from; i < N && i < from + 8; i++)
        next[i] = now[i] + 0.3 * sin(now[(i + 1) % N] * now[(i + N - 1) % N]);
    }
#pragma omp taskwait
#pragma omp task
    for (int i = 0; i < N / 2; i++)
      now[i] = next[i] * x[0];
    for (int i = N / 2; i < N; i++)
      now[i] = next[i] * x[1];
#pragma omp taskwait
  }
  for (int i = 0; i < N; i++)
    sum += now[i] * next[i];
  return sum;
}

/* a task ends before those that it made: the group waits for all */
static void spread(const double *x, double *y, int from, int count) {
  if (count == 1) {
    y[from] = sin(x[from]) * x[(from + 1) % N];
    return;
  }
#pragma omp task
  spread(x, y, from, count / 2);
#pragma omp task
  spread(x, y, from + count / 2, count - count / 2);
}

static double group(double *x) {
  double y[N], sum = 0;
#pragma omp parallel
#pragma omp single
  {
    double scale = x[2] * x[3];
#pragma omp taskgroup
    spread(x, y, 0, N);
    for (int i = 0; i < N; i++)
      y[i] *= y[(i + 1) % N] * scale;
#pragma omp taskgroup
    {
#pragma omp task shared(scale)
      spread(y, y, N - 1, 1);
      scale += x[4];
    }
    sum = scale;
  }
  for (int i = 0; i < N; i++)
    sum += y[i] * x[i];
  return sum;
}

/* waits and tasks in functions of their own */
static __attribute__((noinline)) void wait_here(void) {
#pragma omp taskwait
}
static __attribute__((noinline)) void square_later(double *to, const double *from) {
#pragma omp task
  *to = *from * *from;
}
static double in_functions(double *x) {
  double a[3], b[3], sum = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 3; i++)
      square_later(&a[i], &x[i]);
    wait_here();
    for (int i = 0; i < 3; i++)
      square_later(&b[i], &a[i]);
    sum = a[0] * x[5];
    wait_here();
    a[1] = a[2] * b[1];
    for (int i = 0; i < 3; i++)
      square_later(&b[i], &a[(i + 1) % 3]);
    wait_here();
    sum += b[0] * b[1] + b[2] * a[1] * x[3];
  }
  return sum;
}

/* memory of a task's own, and memory that it passes on */
static double lists(double *x) {
  double *made[4], sum = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int k = 0; k < 4; k++) {
#pragma omp task firstprivate(k)
      {
        double *own = malloc(5 * sizeof *own);
        for (int i = 0; i < 5; i++)
          own[i] = sin(x[5 * k + i]) * x[k];
        made[k] = own;
      }
    }
#pragma omp taskwait
    for (int k = 0; k < 4; k++) {
#pragma omp task firstprivate(k)
      {
        for (int i = 0; i < 5; i++)
          made[k][i] *= made[k][(i + 1) % 5] + k;
      }
    }
  }
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 5; i++)
      sum += made[k][i] * made[3 - k][i];
  for (int k = 0; k < 4; k++)
    free(made[k]);
  return sum;
}

/* tasks of integers, which have no derivative */
static double chosen(double *x) {
  int of[N] = {0};
  double sum = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < N; i++) {
#pragma omp task firstprivate(i)
      of[i] = x[i] > x[(i + 1) % N];
    }
#pragma omp taskwait
    for (int i = 0; i < N; i++)
      sum += of[i] ? x[i] * x[i] : sin(x[i]);
  }
  return sum;
}

GRADIENT(tree)
GRADIENT(unwaited)
GRADIENT(of_each_thread)
GRADIENT(steps)
GRADIENT(group)
GRADIENT(in_functions)
GRADIENT(lists)
GRADIENT(chosen)

int main(void) {
  ON_TEAMS(tree);
  ON_TEAMS(unwaited);
  ON_TEAMS(of_each_thread);
  ON_TEAMS(steps);
  ON_TEAMS(group);
  ON_TEAMS(in_functions);
  ON_TEAMS(lists);
  ON_TEAMS(chosen);
  return failures;
}
