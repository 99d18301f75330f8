/* The values of an interpreter: numbers or integers, as a tag tells. Integers are computed of integers, word by word. */
#include "../check.h"

enum tag { NUMBER, INTEGER };
typedef struct {
  enum tag tag;
  union {
    double number;
    long integer;
  };
} value;

static value number(double x) { return (value){NUMBER, .number = x}; }
static value integer(long i) { return (value){INTEGER, .integer = i}; }
static double as_number(value v) { return v.tag == INTEGER ? (double)v.integer : v.number; }

enum { ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER, NEGATE, PUSH, COUNT, END };

static value compute(int what, value a, value b) {
  if (a.tag == INTEGER && b.tag == INTEGER)
    switch (what) {
    case ADD:
      return integer(a.integer + b.integer);
    case SUBTRACT:
      return integer(a.integer - b.integer);
    case MULTIPLY:
      return integer(a.integer * b.integer);
    case DIVIDE:
      return integer(a.integer / b.integer);
    case REMAINDER:
      return integer(a.integer % b.integer);
    default:
      return integer(-b.integer);
    }
  double x = as_number(a), y = as_number(b);
  switch (what) {
  case ADD:
    return number(x + y);
  case SUBTRACT:
    return number(x - y);
  case MULTIPLY:
    return number(x * y);
  case DIVIDE:
    return number(x / y);
  default:
    return number(-y);
  }
}

typedef struct {
  int what, given;
} step;

static double run(const step *steps, const double *x) {
  value stack[16];
  int top = 0;
  for (;; steps++)
    switch (steps->what) {
    case PUSH:
      stack[top++] = number(x[steps->given]);
      break;
    case COUNT:
      stack[top++] = integer(steps->given);
      break;
    case END:
      return as_number(stack[top - 1]);
    default:
      top--;
      stack[top - 1] = compute(steps->what, stack[top - 1], stack[top]);
    }
}

// ((7 / 2 + 9 % 5) * x0 - x1) / (2 * -3 + x0)
static const step steps[] = {{COUNT, 7},  {COUNT, 2},    {DIVIDE},   {COUNT, 9}, {COUNT, 5},  {REMAINDER},
                             {ADD},       {PUSH, 0},     {MULTIPLY}, {PUSH, 1},  {SUBTRACT},  {COUNT, 2},
                             {COUNT, 0},  {COUNT, 3},    {NEGATE},   {MULTIPLY}, {PUSH, 0},   {ADD},
                             {DIVIDE},    {END}};

static double f(double *x) { return run(steps, x); }

int main(void) {
  CHECK(f, 1.3, 0.4);
  return failures;
}
