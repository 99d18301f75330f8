// A struct of parameters is copied, and no differentiated code reads some of its members: they carry what they hold.
#include "../check.h"
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

struct parameters {
  std::vector<double> poses;
  size_t iterations, rows;
  std::string output;
  bool csv, list;
  short width, height;
  std::optional<int> seed;
  std::pair<int, unsigned> range;
  double scale;
  std::shared_ptr<double> shared;
};

static parameters base;

static double run(const parameters &p) {
  double s = 0;
  for (size_t k = 0; k < p.iterations; k++)
    for (double pose : p.poses)
      s += pose * pose * p.scale;
  return s * *p.shared;
}

static double copied(double *x) {
  parameters p = base;
  for (int i = 0; i < 3; i++)
    p.poses[i] = x[i] * x[0];
  p.scale = x[1];
  return run(p);
}

static double assigned_and_pushed(double *x) {
  parameters p;
  p = base;
  p.poses[1] = x[0] * x[1];
  p.scale = x[2];
  std::vector<parameters> all;
  all.push_back(p);
  all.push_back(std::move(p));
  return run(all[0]) * run(all[1]);
}

int main(int argc, char **) {
  base.poses.resize(3, 0.5);
  base.iterations = argc + 1;
  base.rows = 8;
  base.csv = true;
  base.seed = 3;
  base.scale = 1;
  base.shared = std::make_shared<double>(1.5);
  CHECK(copied, 0.7, 1.3, -0.4);
  CHECK(assigned_and_pushed, 0.7, 1.3, -0.4);
  return failures;
}
