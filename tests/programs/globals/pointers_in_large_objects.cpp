/* A static object that is too large for the types of all its words to be known, with pointers to memory that other code
 * has made, such as work space for each thread: the derivative finds the shadows of these pointers, too. */
#include "../check.h"
struct Space {
  double *scratch; long size; Space **all; int number;
  double *at(long k) { return scratch + k; }
};
struct Instance {
  char is_ready; int size; int level; Space *spaces[512]; union { struct { int a, b; long c[4]; } s; char bytes[40]; } mutex;
  Space *space(int k) { return spaces[k]; }
  static Instance &only() { static Instance self; return self; }
};
static NOINLINE void initialize(int n) {
  Instance &i = Instance::only();
  i.size = n; i.is_ready = 1;
  for (int k = 0; k < n; k++) {
    Space *s = static_cast<Space *>(malloc(sizeof(Space) + 64));
    s->scratch = reinterpret_cast<double *>(s + 1); s->size = 8; s->all = i.spaces; s->number = k;
    i.spaces[k] = s;
  }
}
static NOINLINE double f(double *x) {
  Instance &i = Instance::only();
  for (int k = 0; k < i.size; k++) {
    double *own = i.space(k)->at(0);
    *own = 0;
    for (int j = k; j < 6; j += i.size) *own += x[j] * sin(x[j]);
  }
  double *first = i.space(0)->at(0);
  for (int k = 1; k < i.size; k++) *first += *i.space(k)->at(0);
  return *first * *first;
}
int main() {
  initialize(3);
  CHECK(f, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  for (int k = 0; k < 3; k++)
    free(Instance::only().space(k));
  return failures;
}
