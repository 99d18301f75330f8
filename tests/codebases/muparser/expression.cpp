/* A formula in a text, by the values of its variables: bytecode of tagged unions. */
#include "check.h"
#include <muParser.h>

static double place[2];
static mu::Parser *before;

static mu::Parser *make(double *variables) {
  mu::Parser *parser = new mu::Parser;
  parser->DefineVar("a", &variables[0]);
  parser->DefineVar("b", &variables[1]);
  parser->DefineConst("c", 0.7);
  parser->SetExpr("sin(a) * b + exp(c * a) / (1 + b^2) - (a > b ? a * c : b)");
  parser->Eval(); // makes the bytecode
  return parser;
}

static double evaluated(double *x) {
  place[0] = x[0], place[1] = x[1];
  return before->Eval();
}

int main() {
  before = make(place);
  CHECK(evaluated, 0.8, 0.3);
  return failures;
}
