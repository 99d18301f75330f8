/* C++: a class with vectors of numbers and of requests, complex numbers, and copies of vectors of pairs. */
#include <cmath>
#include <complex>
#include <cstdio>
#include <mpi.h>
#include <vector>

double __enzyme_autodiff(void *, ...);

struct Grid {
  int rank, size;
  std::vector<double> u;
  std::vector<MPI_Request> requests;

  Grid(const double *x, int n) : u(n + 2) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < n; i++)
      u[i + 1] = x[i];
  }
  void with(int other, int mine, int theirs, int up, int down) {
    MPI_Request r;
    MPI_Irecv(&u[theirs], 1, MPI_DOUBLE, other, up, MPI_COMM_WORLD, &r);
    requests.push_back(r);
    MPI_Isend(&u[mine], 1, MPI_DOUBLE, other, down, MPI_COMM_WORLD, &r);
    requests.push_back(r);
  }
  void step() {
    int n = (int)u.size() - 2;
    requests.clear();
    if (rank > 0)
      with(rank - 1, 1, 0, 0, 1);
    if (rank < size - 1)
      with(rank + 1, n, n + 1, 1, 0);
    MPI_Waitall((int)requests.size(), requests.data(), MPI_STATUSES_IGNORE);
    std::vector<double> v(u);
    for (int i = 1; i <= n; i++)
      v[i] = u[i] + 0.1 * (u[i - 1] * u[i - 1] + u[i + 1] - 2 * u[i]);
    u = v;
  }
};

struct Place {
  double value;
  int rank;
};
/* The operation may be the program's: then it would copy numbers and integers at places that are not known. */
static double largest(const double *x) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<Place> own;
  for (int i = 0; i < 4; i++)
    own.push_back({x[i] * x[0], rank});
  auto all = own;
  double s = 0;
  MPI_Allreduce(own.data(), all.data(), 4, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  for (auto &p : all)
    s += p.value * (1 + p.rank);
  return s;
}

static double loss(const double *x) {
  Grid grid(x, 4);
  double s = 0;
  for (int t = 0; t < 3; t++)
    grid.step();
  for (double v : grid.u)
    s += v * v;
  std::complex<double> z(grid.u[1], grid.u[2]), sum;
  MPI_Allreduce(&z, &sum, 1, MPI_CXX_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
  return s + std::norm(sum) + largest(x);
}

static double total(double x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return x;
}

int main(int count, char **words) {
  int rank;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[4], d[4] = {0}, plus[4], minus[4], dot = 0, h = 1e-5;
  for (int i = 0; i < 4; i++)
    x[i] = 0.5 + 0.1 * i + 0.2 * rank;
  __enzyme_autodiff((void *)loss, x, d);
  for (int i = 0; i < 4; i++) {
    double w = std::cos(i + rank);
    dot += d[i] * w;
    plus[i] = x[i] + h * w, minus[i] = x[i] - h * w;
  }
  dot = total(dot);
  double want = total((loss(plus) - loss(minus)) / (2 * h));
  if (rank == 0)
    printf("gradient %.9g, differences give %.9g\n", dot, want);
  MPI_Finalize();
  return std::fabs(dot - want) > 1e-6 * (1 + std::fabs(want));
}
