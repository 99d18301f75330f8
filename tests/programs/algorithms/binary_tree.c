/* A sorted tree: inserted into, evaluated and freed by recursive functions. */
#include "../check.h"

struct tree {
  double key;
  struct tree *left, *right;
};

NOINLINE static struct tree *insert(struct tree *t, double key) {
  if (!t) {
    t = calloc(1, sizeof *t);
    t->key = key;
  } else if (key < t->key) {
    t->left = insert(t->left, key);
  } else {
    t->right = insert(t->right, key);
  }
  return t;
}

NOINLINE static double sum(struct tree *t, double depth) {
  return t ? t->key * depth + sum(t->left, depth * t->key) + sum(t->right, depth + 1) : 0;
}

NOINLINE static void drop(struct tree *t) {
  if (t) {
    drop(t->left);
    drop(t->right);
    free(t);
  }
}

static double build(double *x) {
  struct tree *t = NULL;
  for (int i = 0; i < 5; i++)
    t = insert(t, x[i] * (i + 1));
  double s = sum(t, 1);
  drop(t);
  return s;
}

int main(void) {
  CHECK(build, 1.1, 0.2, 1.3, -0.4, 0.9);
  return failures;
}
