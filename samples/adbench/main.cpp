// PROGRAM [check] [SIZES]                  compares the derivative with the one written by hand
// PROGRAM primal|derivative|hand [SIZES]   prints seconds of processor time of the first call, the median of later
//                                          ones, and the peak of memory in kB
#include "adbench.hpp"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_width;
static volatile double kept;

static double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static long peak() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.compare(0, 6, "VmHWM:") == 0)
      return std::atol(line.c_str() + 6);
  return 0;
}

static double seconds(problem &p, const std::string &what) {
  double start = now();
  if (what == "primal")
    kept = p.primal();
  else if (what == "hand")
    p.by_hand();
  else
    p.derivative();
  return now() - start;
}

static int check(problem &p) {
  p.by_hand();
  numbers expected = p.result;
  for (int call = 0; call < 2; call++) { // the second one finds what the first one left
    p.derivative();
    double scale = 0, difference = 0;
    for (double x : expected)
      scale = std::max(scale, std::fabs(x));
    for (std::size_t i = 0; i < expected.size(); i++)
      difference = std::max(difference, std::fabs(p.result[i] - expected[i]));
    bool agrees = p.result.size() == expected.size() && scale > 0 && difference <= 1e-9 * scale + 1e-12;
    std::printf("%zu derivatives, largest %.6e, difference %.1e%s\n", expected.size(), scale, difference,
                agrees ? "" : "   DISAGREES");
    if (!agrees)
      return 1;
  }
  return 0;
}

static void measure(problem &p, const std::string &what) {
  double first = seconds(p, what), total = 0;
  std::vector<double> times;
  while (times.size() < 5 || (total < 0.1 && times.size() < 1000))
    times.push_back(seconds(p, what)), total += times.back();
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  std::printf("%.9f %.9f %ld\n", first, times[times.size() / 2], peak());
}

int main(int argc, char **argv) {
  std::vector<int> sizes = default_sizes;
  for (int i = 2; i < argc && i - 2 < (int)sizes.size(); i++)
    sizes[i - 2] = std::atoi(argv[i]);
  std::string what = argc > 1 ? argv[1] : "check";
  problem *p = make_problem(sizes);
  int status = 0;
  if (what == "check")
    status = check(*p);
  else
    measure(*p, what);
  delete p;
  return status;
}
