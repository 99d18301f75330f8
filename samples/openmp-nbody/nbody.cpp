// Many bodies attract each other, on as many threads as OpenMP gives. The gradient of how far they spread, with respect to
// where they start, runs on these threads, too.
#include <enzyme/enzyme.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct Vector {
    double x, y, z;
};

constexpr double dt = 1e-3, softening = 1e-2;

void step(std::vector<Vector> &position, std::vector<Vector> &velocity) {
    const int count = (int)position.size();
#pragma omp parallel for schedule(static)
    for (int i = 0; i < count; i++) {
        Vector sum{0, 0, 0};
        for (int j = 0; j < count; j++) {
            double x = position[j].x - position[i].x, y = position[j].y - position[i].y, z = position[j].z - position[i].z;
            double squared = x * x + y * y + z * z + softening, weight = 1 / (squared * std::sqrt(squared) * count);
            sum.x += weight * x, sum.y += weight * y, sum.z += weight * z;
        }
        velocity[i].x += dt * sum.x, velocity[i].y += dt * sum.y, velocity[i].z += dt * sum.z;
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < count; i++) {
        position[i].x += dt * velocity[i].x, position[i].y += dt * velocity[i].y, position[i].z += dt * velocity[i].z;
    }
}

// The mean square of the distances from the origin after some steps.
double spread(const double *start, int count, int steps) {
    std::vector<Vector> position(count), velocity(count, Vector{0, 0, 0});
    for (int i = 0; i < count; i++)
        position[i] = {start[3 * i], start[3 * i + 1], start[3 * i + 2]};
    for (int k = 0; k < steps; k++)
        step(position, velocity);
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < count; i++)
        sum += position[i].x * position[i].x + position[i].y * position[i].y + position[i].z * position[i].z;
    return sum / count;
}

void gradient(const std::vector<double> &start, std::vector<double> &d_start, int steps) {
    std::fill(d_start.begin(), d_start.end(), 0.0);
    __enzyme_autodiff<void>((void *)spread, enzyme_dup, start.data(), d_start.data(), enzyme_const,
                            (int)start.size() / 3, enzyme_const, steps);
}

// The seconds that a function takes on so many threads: the least of three times.
template <class Function> double seconds(int threads, Function function) {
    double least = INFINITY;
    omp_set_num_threads(threads);
    for (int k = 0; k < 3; k++) {
        double begin = omp_get_wtime();
        function();
        least = std::min(least, omp_get_wtime() - begin);
    }
    return least;
}

} // namespace

int main(int argc, char **argv) {
    const int threads = omp_get_max_threads(), count = argc > 1 ? std::atoi(argv[1]) : 400, steps = 10;
    std::vector<double> start(3 * count), found(3 * count);
    for (int i = 0; i < 3 * count; i++)
        start[i] = std::sin(i * 0.7) + 0.1 * (i % 3);
    double primal[2], reverse[2];
    for (int k = 0; k < 2; k++) {
        primal[k] = seconds(k ? threads : 1, [&] { spread(start.data(), count, steps); });
        reverse[k] = seconds(k ? threads : 1, [&] { gradient(start, found, steps); });
    }
    int wrong = 0;
    for (int i = 0; i < 3 * count; i += count / 2) {
        double h = 1e-4, at = start[i];
        start[i] = at + h;
        double above = spread(start.data(), count, steps);
        start[i] = at - h;
        double expected = (above - spread(start.data(), count, steps)) / (2 * h);
        start[i] = at;
        bool agrees = std::fabs(found[i] - expected) <= 1e-6 * (1e-2 + std::fabs(expected));
        wrong += !agrees;
        std::printf("d spread / d start[%4d] = %+.9f, central difference %+.9f%s\n", i, found[i], expected,
                    agrees ? "" : "  DISAGREES");
    }
    std::printf("%d bodies, %d threads: speed-up of the function %.2f, of its gradient %.2f\n", count, threads,
                primal[0] / primal[1], reverse[0] / reverse[1]);
    std::printf("gradient / function: %.2f with one thread, %.2f with %d\n", reverse[0] / primal[0],
                reverse[1] / primal[1], threads);
    return wrong != 0;
}
