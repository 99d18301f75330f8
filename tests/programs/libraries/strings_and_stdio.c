/* Text, files, environment and time in the middle of a computation. */
#include "../check.h"
#include <locale.h>
#include <stdarg.h>
#include <time.h>

struct record {
  char name[16]; double v; };

NOINLINE static void report(const char *format, ...) {
  char line[200];
  va_list list;
  va_start(list, format);
  vsnprintf(line, sizeof line, format, list);
  va_end(list);
  fputs(line, stdout);
  fflush(stdout);
}

static double run(double *x) {
  struct record r[3];
  char text[64] = "numbers ";
  time_t now = time(NULL);
  setlocale(LC_ALL, getenv("NO_SUCH_VARIABLE") ? "" : "C");
  strcat(text, "of a kind");
  double s = 0;
  for (int i = 0; i < 3; i++) {
    strcpy(r[i].name, i ? "other" : "first");
    memcpy(r[i].name + 5, "-part", 6);
    r[i].v = x[i] * x[0];
    sprintf(text, "%s %d %g", r[i].name, i, r[i].v);
    s += r[i].v * (double)strlen(r[i].name) + (strcmp(r[i].name, "first-part") ? x[1] * atof("2.5") : 0);
    report("%s at %g, %ld\n", text, s, (long)(now > 0));
  }
  FILE *file = tmpfile();
  if (file) {
    fprintf(file, "%g", s);
    rewind(file);
    fclose(file);
  }
  return s * s;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
