/* Numbers that are written to files as bytes and read back keep their derivatives. */
#define _GNU_SOURCE
#include "../check.h"
#include <sys/mman.h>
#include <unistd.h>

static void need(int is_right) {
  if (!is_right)
    abort();
}

/* A header of integers stands before the numbers; a part is read, another one twice. */
static double through_stream(double *x) {
  FILE *file = tmpfile();
  int count = 3, again = 0;
  double a[3] = {x[0] * x[1], sin(x[1]), x[0]}, b[3] = {0}, c[2];
  need(fwrite(&count, sizeof count, 1, file) == 1 && fwrite(a, sizeof *a, 3, file) == 3);
  rewind(file);
  need(fread(&again, sizeof again, 1, file) == 1 && fread(b, sizeof *b, (size_t)again - 1, file) == 2);
  fseek(file, -(long)sizeof *b, SEEK_CUR);
  need(fread(c, sizeof *c, 2, file) == 2);
  fclose(file);
  return b[0] * b[1] + c[0] * c[1] + b[2];
}

/* Blocks are written in another order than they are read, and one of them is overwritten. */
static double by_offset(double *x) {
  int file = memfd_create("numbers", 0);
  double a[2] = {x[0] * x[0], x[1]}, s = 0, b[4] = {0};
  need(pwrite(file, a, sizeof a, sizeof a) == sizeof a && pwrite(file, a, sizeof a, 0) == sizeof a);
  a[0] = cos(x[1]);
  need(pwrite(file, a, sizeof *a, 24) == sizeof *a);
  need(pread(file, b, sizeof b, 0) == sizeof b);
  for (int i = 0; i < 4; i++)
    s += b[i] * b[i] * (i + 1);
  lseek(file, 8, SEEK_SET);
  need(read(file, b, 8) == 8);
  close(file);
  return s * b[0];
}

/* Memory is written out, changed, and read back over it, again and again. */
static double paged(double *x) {
  FILE *file = tmpfile();
  double a[2] = {x[0], x[1]}, s = 0;
  for (int i = 0; i < 4; i++) {
    rewind(file);
    need(fwrite(a, sizeof a, 1, file) == 1);
    s += sin(a[0] * a[1]);
    a[0] = a[1] = 7;
    rewind(file);
    need(fread(a, sizeof a, 1, file) == 1);
    a[i % 2] *= a[1 - i % 2] + s;
  }
  fclose(file);
  return s + a[0] + a[1];
}

/* Numbers of a file that the derivative does not write are constants, also beside those that it writes. */
static FILE *constants;

static double beside_constants(double *x) {
  FILE *file = tmpfile();
  double a = x[0] * x[1], b[3] = {0};
  need(fwrite(&a, sizeof a, 1, file) == 1);
  rewind(file);
  rewind(constants);
  need(fread(b, sizeof *b, 1, file) == 1 && fread(b + 1, sizeof *b, 2, constants) == 2);
  fclose(file);
  return b[0] * b[1] + x[1] * b[2];
}

/* A file of the program: what an earlier request left there is a constant. */
static FILE *state;

static double from_state(double *x) {
  double old = 0, now = 0, value = x[0] * x[1];
  rewind(state);
  need(fread(&old, sizeof old, 1, state) == 1);
  rewind(state);
  need(fwrite(&value, sizeof value, 1, state) == 1);
  rewind(state);
  need(fread(&now, sizeof now, 1, state) == 1);
  rewind(state);
  value = 3;
  need(fwrite(&value, sizeof value, 1, state) == 1);
  return old * now;
}

static double leaves_state(double *x) {
  double old = 0, value = x[0] * x[1];
  rewind(state);
  need(fread(&old, sizeof old, 1, state) == 1);
  rewind(state);
  need(fwrite(&value, sizeof value, 1, state) == 1);
  return old * x[0] + x[1];
}

int main(void) {
  double numbers[2] = {2, 3};
  constants = tmpfile();
  state = tmpfile();
  need(fwrite(numbers, sizeof numbers, 1, constants) == 1 && fwrite(numbers, sizeof numbers, 1, state) == 1);
  CHECK(through_stream, 0.5, 1.2);
  CHECK(by_offset, 0.5, 1.2);
  CHECK(paged, 0.5, 1.2);
  CHECK(beside_constants, 0.5, 1.2);
  rewind(state);
  need(fwrite(numbers + 1, sizeof *numbers, 1, state) == 1);
  CHECK(from_state, 0.5, 1.2);
  double last = 3;
  for (int i = 0; i < 3; i++) {
    double x[2] = {0.5 + i, 1.2}, dx[2] = {0};
    __enzyme_autodiff((void *)leaves_state, x, dx);
    same("leaves_state", 0, dx[0], last, 1e-12);
    same("leaves_state", 1, dx[1], 1, 1e-12);
    last = x[0] * x[1];
  }
  fclose(constants);
  fclose(state);
  return failures;
}
