#include <stdio.h>
#include <stdlib.h>

void write_numbers(FILE *file, const double *numbers, int n) {
  if (fwrite(numbers, sizeof *numbers, (size_t)n, file) != (size_t)n)
    abort();
}
