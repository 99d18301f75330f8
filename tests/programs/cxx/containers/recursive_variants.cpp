/* Variants that hold variants of the same type behind pointers and in vectors: their indices are copied as single bytes,
 * and counts of references lie beside numbers. */
#include "../../check.h"
#include <memory>
#include <variant>
#include <vector>

struct Expression;
using Kinds = std::variant<double, std::shared_ptr<Expression>, std::vector<Expression>>;
struct Expression {
  Kinds kind;
};

static double value(const Expression &e) {
  if (auto number = std::get_if<double>(&e.kind))
    return *number;
  if (auto inner = std::get_if<std::shared_ptr<Expression>>(&e.kind))
    return std::exp(0.3 * value(**inner));
  double sum = 0;
  for (auto &term : std::get<std::vector<Expression>>(e.kind))
    sum += value(term) * (sum + 1);
  return sum;
}

static double f(double *x) {
  Expression list{std::vector<Expression>{{x[0]}, {x[1]}, {std::make_shared<Expression>(Expression{x[0] * x[1]})}}};
  Expression longer = list;
  std::get<std::vector<Expression>>(longer.kind).push_back(list);
  return value(longer) + value(list);
}

int main() {
  CHECK(f, 0.7, 1.3);
  return failures;
}
