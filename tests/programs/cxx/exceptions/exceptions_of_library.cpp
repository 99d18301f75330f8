/* Exceptions that the library throws: vector::at, map::at, optional, variant, a cast, and conversions of text. */
#include "../../check.h"
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <variant>
#include <vector>

struct base {
  virtual ~base() {}
};

struct derived : base {
  double value = 2;
};

static double ask(const std::vector<double> &v, const std::string &text, unsigned k) {
  std::map<int, double> m{{1, v[0]}, {3, v[1]}};
  std::optional<double> present;
  std::variant<double, int> choice = v[2];
  derived d;
  base b;
  d.value = v[0] * v[0];
  switch (k % 6) {
  case 0:
    return v.at(k);
  case 1:
    return m.at(k);
  case 2:
    if (k > 6)
      present = v[1];
    return present.value() * 3;
  case 3:
    return k > 6 ? std::get<int>(choice) : std::get<double>(choice);
  case 4:
    return dynamic_cast<const derived &>(k > 6 ? static_cast<const base &>(d) : b).value;
  default:
    return std::stoi(text.substr(k)) * v[1];
  }
}

static double f(double *x) {
  std::vector<double> v(x, x + 3);
  double s = 0;
  for (unsigned k = 0; k < 12; k++)
    try {
      s = s * x[0] + ask(v, "a text of 4", k);
    } catch (const std::out_of_range &e) {
      s += k * x[1] * x[1] * (e.what()[0] != 'x');
    } catch (const std::invalid_argument &e) {
      s *= x[2] + (e.what()[0] == 's');
    } catch (const std::bad_optional_access &) {
      s += sin(x[0]);
    } catch (const std::bad_cast &) {
      s -= x[1];
    } catch (const std::exception &) {
      s *= x[0] * x[1];
    }
  return s;
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
