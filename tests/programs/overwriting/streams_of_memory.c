/* Text that streams write to memory of the program, which reads it without the library: the reverse sweep must see what
 * each step read. */
#include "../check.h"

static double step(double r, const double *x, char digit) {
  int k = digit - '0';
  return x[k] * x[k] * r + x[k];
}

static double fixed(double *x) {
  char text[8] = {0};
  double r = 0;
  FILE *stream = fmemopen(text, sizeof text, "w");
  setvbuf(stream, NULL, _IONBF, 0);
  for (int i = 0; i < 4; i++) {
    rewind(stream);
    fprintf(stream, "%d", i % 2);
    r = step(r, x, text[0]);
  }
  fclose(stream);
  return r;
}

static double growing(double *x) {
  char *text;
  size_t size;
  double r = 0;
  FILE *stream = open_memstream(&text, &size);
  for (int i = 0; i < 4; i++) {
    rewind(stream);
    fputc('0' + i % 2, stream);
    fflush(stream);
    r = step(r, x, text[0]);
  }
  fclose(stream);
  free(text);
  return r;
}

int main(void) {
  CHECK(fixed, 1.3, 0.7);
  CHECK(growing, 1.3, 0.7);
  return failures;
}
