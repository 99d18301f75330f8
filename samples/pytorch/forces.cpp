#include "forces.hpp"

#include <cmath>

namespace {

constexpr double softening = 1e-2; // no force grows beyond all bounds when two bodies meet

// Adds the attraction between one body, `i`, and those before it, to all of them.
void attract(int i, const double *__restrict x, const double *__restrict y, const double *__restrict z,
             const double *__restrict mass, double *__restrict ax, double *__restrict ay, double *__restrict az) {
    double sum_x = 0, sum_y = 0, sum_z = 0;
    for (int j = 0; j < i; j++) {
        double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        double squared = dx * dx + dy * dy + dz * dz + softening;
        double factor = 1 / (squared * std::sqrt(squared));
        sum_x += mass[j] * factor * dx;
        sum_y += mass[j] * factor * dy;
        sum_z += mass[j] * factor * dz;
        ax[j] -= mass[i] * factor * dx;
        ay[j] -= mass[i] * factor * dy;
        az[j] -= mass[i] * factor * dz;
    }
    ax[i] += sum_x;
    ay[i] += sum_y;
    az[i] += sum_z;
}

} // namespace

void accelerate(const Vectors &position, const double *mass, Vectors &acceleration) {
    const Vectors &p = position;
    Vectors &a = acceleration;
    int count = (int)p.x.size();
    for (auto *component : {&a.x, &a.y, &a.z})
        component->assign(count, 0);
    for (int i = 0; i < count; i++)
        attract(i, p.x.data(), p.y.data(), p.z.data(), mass, a.x.data(), a.y.data(), a.z.data());
}
