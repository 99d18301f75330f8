/* Variants with a flag among their kinds: without optimisation, a flag is copied as the lowest bit of a byte. */
#include "../../check.h"
#include <variant>
#include <vector>

struct Value {
  std::variant<bool, double, std::vector<Value>> kind;
};

static double total(const Value &value) {
  if (auto flag = std::get_if<bool>(&value.kind))
    return *flag;
  if (auto number = std::get_if<double>(&value.kind))
    return *number * *number;
  double sum = 0;
  for (auto &element : std::get<2>(value.kind))
    sum = sum * 0.5 + total(element);
  return sum;
}

static double f(double *x) {
  Value list{std::vector<Value>{Value{x[0]}, Value{true}, Value{x[1]}}};
  Value longer = list;
  std::get<2>(longer.kind).push_back(list);
  std::get<2>(longer.kind)[0].kind = false;
  std::get<2>(longer.kind)[1] = list;
  return total(longer) * total(list);
}

int main() {
  CHECK(f, 0.7, 1.3);
  return failures;
}
