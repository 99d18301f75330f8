/* A number moves through a local `void *`, by memcpy, to an array that is the context of a callback. Contexts of other
 * callbacks have pointers at that place. For LLVM the word is a pointer.
 */
#include "../check.h"

enum { N = 8, FEW = 4 };
typedef double (*callback)(void *);
struct scaled {
  double numbers[FEW];
  const double *factor;
};
struct lines {
  double *first;
  double weight;
  double *second;
};
struct job {
  callback run;
  void *context;
};

static double squares(void *context) {
  const double *numbers = context;
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += (i + 1) * numbers[i] * numbers[i];
  return sum;
}

static double scaled_sum(void *context) {
  const struct scaled *scaled = context;
  double sum = 0;
  for (int i = 0; i < FEW; i++)
    sum += scaled->numbers[i];
  return sum * *scaled->factor;
}

static double of_lines(void *context) {
  const struct lines *lines = context;
  return lines->first[0] * lines->weight + lines->second[1];
}

NOINLINE static double all(const struct job *jobs, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += jobs[i].run(jobs[i].context);
  return sum;
}

static double of_all(const double *x, double *copy) {
  double factor = 2 * x[0], y[2] = {x[1] * x[2], x[3]};
  struct scaled scaled = {{x[0], x[1], x[2], x[3]}, &factor};
  struct lines lines = {y, x[0], y};
  struct job jobs[] = {{squares, copy}, {scaled_sum, &scaled}, {of_lines, &lines}};
  return all(jobs, 3);
}

static void move(void *to, const void *from) {
  void *word;
  memcpy(&word, from, sizeof word);
  memcpy(to, &word, sizeof word);
}

static double one_word(double *x) {
  double copy[N];
  memcpy(copy, x, FEW * sizeof *x);
  move(copy + FEW, x + FEW);
  memcpy(copy + FEW + 1, x + FEW + 1, (N - FEW - 1) * sizeof *x);
  return of_all(x, copy);
}

static double all_words(double *x) {
  double copy[N];
  move(copy, x), move(copy + 1, x + 1), move(copy + 2, x + 2), move(copy + 3, x + 3);
  move(copy + 4, x + 4), move(copy + 5, x + 5), move(copy + 6, x + 6), move(copy + 7, x + 7);
  return of_all(x, copy);
}

int main(void) {
  CHECK(one_word, 1, 2, 3, 4, 5, 6, 7, 8);
  CHECK(all_words, 1, 2, 3, 4, 5, 6, 7, 8);
  return failures;
}
