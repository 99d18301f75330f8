/* Numbers that the C library's less common functions copy, and numbers in a log that only the caller reads. */
#define _GNU_SOURCE
#include "../check.h"
#include <unistd.h>
#include <wchar.h>

static FILE *text_log;

static double in_wide_units(double *x) {
  double y[4] = {x[0] * x[1], x[1], 1, 2}, z[4];
  wmemcpy((wchar_t *)z, (const wchar_t *)y, 8);
  wmemmove((wchar_t *)(z + 1), (const wchar_t *)z, 4);
  return z[0] * z[1] * z[2] + (double)(wmempcpy((wchar_t *)y, (const wchar_t *)z, 2) - (wchar_t *)y);
}

static double up_to_a_byte(double *x) {
  double product = x[0] * x[1], got = 0;
  int is_cut = memccpy(&got, &product, 300, sizeof got) != NULL;
  return got * got + is_cut;
}

/* The first byte that is zero ends the text. */
static double in_texts(double *x) {
  double numbers[2] = {x[0] * x[1] + 0.1234567, 0}, got[2] = {0, 0}, last[2] = {0, 0};
  char *copy = strdup((char *)numbers);
  strncpy((char *)got, copy, sizeof got);
  strcpy((char *)last, (char *)got);
  free(copy);
  return last[0] * last[0];
}

static double through_a_named_file(double *x) {
  char name[] = "/tmp/bytes_copied.XXXXXX";
  int descriptor = mkstemp(name);
  double product = x[0] * x[1], got = 0;
  if (write(descriptor, &product, sizeof product) != sizeof product)
    return 0;
  close(descriptor);
  FILE *file = fopen(name, "rb");
  size_t count = fread(&got, sizeof got, 1, file);
  fclose(file);
  remove(name);
  return got * count;
}

static double logged(double *x) {
  double sum = 0;
  for (int i = 0; i < 4; i++)
    fprintf(text_log, "%g\n", sum += x[0] * x[1] * i);
  return sum;
}

int main(void) {
  text_log = tmpfile();
  CHECK(in_wide_units, 1.5, -0.4);
  CHECK(up_to_a_byte, 1.5, -0.4);
  CHECK(in_texts, 1.5, 0.7);
  CHECK(through_a_named_file, 1.5, -0.4);
  CHECK(logged, 1.5, -0.4);
  char text[100];
  rewind(text_log);
  printf("%zu\n", fread(text, 1, sizeof text, text_log));
  return failures;
}
