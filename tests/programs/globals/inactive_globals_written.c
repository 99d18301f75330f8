/* What passes through an inactive global carries no derivative, whether or not LLVM could forward the stored value. */
#include "../check.h"

static double last, log_of[4], table[2] = {2, 3};
static struct {
  int count;
  double of[2];
} state;
static float narrow;
void *__enzyme_inactive_global_last[] = {(void *)&last};
void *__enzyme_inactive_global_log[] = {(void *)log_of};
void *__enzyme_inactive_global_table[] = {(void *)table};
void *__enzyme_inactive_global_state[] = {(void *)&state};
void *__enzyme_inactive_global_narrow[] = {(void *)&narrow};

static void keep(double x) { last = x * x; }
static double forwarded(double x) {
  keep(x);
  return last * x;
}
static double in_array(double x) {
  double s = 0;
  for (int i = 0; i < 4; i++) {
    log_of[i] = x * i;
    s += log_of[i] * x * table[i & 1];
  }
  return s;
}
static double in_struct(double x) {
  state.count = 1;
  state.of[state.count] = sin(x);
  narrow = (float)x;
  return state.of[state.count] * x * state.count + narrow * x;
}

int main(void) {
  double x = 0.75;
  SAME(__enzyme_autodiff((void *)forwarded, x), x * x);
  SAME(__enzyme_fwddiff((void *)forwarded, x, 1.0), x * x);
  SAME(__enzyme_autodiff((void *)in_array, x), x * (1 * 3 + 2 * 2 + 3 * 3));
  SAME(__enzyme_fwddiff((void *)in_array, x, 1.0), x * (1 * 3 + 2 * 2 + 3 * 3));
  SAME(__enzyme_autodiff((void *)in_struct, x), sin(x) + x);
  SAME(__enzyme_fwddiff((void *)in_struct, x, 1.0), sin(x) + x);
  return failures;
}
