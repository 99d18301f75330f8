/* std::pmr: containers whose memory comes from resources of the program, from the default, from operator new, from pools
 * and from buffers. */
#include "../../check.h"
#include <list>
#include <map>
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

static double from(std::pmr::memory_resource *resource, double *x) {
  std::pmr::vector<double> numbers(resource);
  for (int i = 0; i < 20; i++)
    numbers.push_back(std::sin(x[i % 3] * i));
  std::pmr::map<int, double> sums(resource);
  for (int i = 0; i < 20; i++)
    sums[i % 7] += numbers[i] * x[1];
  sums.erase(3);
  struct alignas(64) Wide {
    double values[8];
  };
  std::pmr::vector<Wide> wide(resource);
  for (int i = 0; i < 3; i++)
    wide.push_back({{x[0] * i, x[1], x[2]}});
  double sum = reinterpret_cast<size_t>(wide.data()) % 64;
  for (auto &[key, value] : sums)
    sum += value * value * (key + 1) * wide[key % 3].values[key % 2];
  return sum;
}

static double from_pools(double *x) {
  std::pmr::unsynchronized_pool_resource pool;
  std::pmr::synchronized_pool_resource locked(&pool);
  return from(&pool, x) * from(&locked, x);
}

static double from_buffers(double *x) {
  Counting counting;
  double result = 1;
  {
    std::pmr::monotonic_buffer_resource growing(&counting);
    result = from(&growing, x);
    growing.release();
    result *= from(&growing, x);
  }
  alignas(64) char buffer[500];
  std::pmr::monotonic_buffer_resource small(buffer, sizeof buffer);
  return result + from(&small, x);
}

static double from_new(double *x) { return from(std::pmr::new_delete_resource(), x); }

int main() {
  CHECK(from_pools, 0.7, 1.2, 0.4);
  CHECK(from_buffers, 0.7, 1.2, 0.4);
  CHECK(from_new, 0.7, 1.2, 0.4);
  CHECK(counted, 0.7, 1.2, 0.4);
  CHECK(by_default, 0.7, 1.2, 0.4);
  return failures;
}
