/* A parser's array of words lies in a struct, between pointers to numbers: the words are no numbers. */
#include "../check.h"

enum { WORDS = 10 };
struct project {
  double *before;
  char *word[WORDS];
  int words;
  double *after;
};

NOINLINE static int split(char *text, char **word, int most) {
  int n = 0;
  while (*text && n < most) {
    size_t length = strcspn(text, " ");
    word[n++] = text;
    if (!text[length])
      break;
    text[length] = 0;
    text += length + 1;
  }
  return n;
}

NOINLINE static double hours(char *time) {
  double part[3] = {0, 0, 0};
  int n = 0;
  for (char *s = strtok(time, ":"); s && n < 3; s = strtok(NULL, ":"))
    part[n++] = strtod(s, NULL);
  return part[0] + part[1] / 60 + part[2] / 3600;
}

NOINLINE static double after(struct project *p, const char *name) {
  for (int k = 0; k + 1 < p->words; k++)
    if (!strcmp(p->word[k], name))
      return hours(p->word[k + 1]);
  return 0;
}

static double f(double *x) {
  char line[] = "START 1:30 END 2:45:18";
  struct project project = {0}, *p = &project;
  p->before = malloc(3 * sizeof(double));
  p->after = malloc(3 * sizeof(double));
  p->words = split(line, p->word, WORDS);
  double start = after(p, "START"), end = after(p, "END"), sum = 0;
  for (int i = 0; i < 3; i++) {
    p->before[i] = x[i] * start;
    p->after[i] = x[i] * x[i] + end;
  }
  for (int i = 0; i < 3; i++)
    sum += p->before[i] * p->after[i];
  free(p->after);
  free(p->before);
  return sum;
}

int main(void) {
  CHECK(f, 0.5, 1.2, -0.7);
  return failures;
}
