/* std::pmr: containers whose memory comes from resources of the program, from the default, and from operator new. */
#include "../../check.h"
#include <list>
#include <memory_resource>
#include <vector>

struct Counting : std::pmr::memory_resource {
  int blocks = 0;
  void *do_allocate(size_t size, size_t) override {
    blocks++;
    return ::operator new(size);
  }
  void do_deallocate(void *memory, size_t, size_t) override { ::operator delete(memory); }
  bool do_is_equal(const memory_resource &other) const noexcept override { return this == &other; }
};

static double counted(double *x) {
  Counting resource;
  std::pmr::vector<double> numbers(&resource);
  for (int i = 0; i < 5; i++)
    numbers.push_back(x[i % 3] * (i + 1));
  std::pmr::list<double> list(numbers.begin(), numbers.end(), &resource);
  double sum = 0;
  for (double number : list)
    sum += number * number * x[1];
  return sum * resource.blocks;
}

static double by_default(double *x) {
  std::pmr::vector<double> numbers;
  for (int i = 0; i < 9; i++)
    numbers.push_back(x[i % 3] * (i + 1));
  std::pmr::vector<double> copy(std::pmr::new_delete_resource());
  copy = numbers;
  double sum = 0;
  for (size_t i = 0; i < numbers.size(); i++)
    sum += numbers[i] * copy[copy.size() - 1 - i];
  return sum;
}

int main() {
  CHECK(counted, 0.7, 1.2, 0.4);
  CHECK(by_default, 0.7, 1.2, 0.4);
  return failures;
}
