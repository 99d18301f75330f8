// Where must a planet start to end somewhere else? The gradient of its final distance from a goal, with respect to all
// that the system starts from, beside central differences.
#include "bodies.hpp"

#include <enzyme/enzyme.h>

#include <cstdio>
#include <vector>

namespace {

constexpr int steps = 200;
constexpr double dt = 0.01;

// The squared distance of the last body from a goal after all steps; moves `bodies`.
double miss(Body *bodies, int count) {
    for (int i = 0; i < steps; i++)
        step(bodies, count, dt);
    Vector apart = bodies[count - 1].position - Vector{-1, 0.5, 0};
    return dot(apart, apart);
}

std::vector<Body> system_at_start() {
    return {{{0, 0, 0}, {0, 0, 0}, 1.0},
            {{0.6, 0, 0.1}, {0, 1.2, 0}, 0.05},
            {{-1, 0.2, 0}, {0.1, -0.9, 0.1}, 0.1},
            {{0, 1.5, -0.2}, {-0.8, 0, 0}, 0.02}};
}

std::vector<Body> gradient() {
    std::vector<Body> bodies = system_at_start(), shadow(bodies.size());
    __enzyme_autodiff<void>((void *)miss, enzyme_dup, bodies.data(), shadow.data(), enzyme_const, (int)bodies.size());
    return shadow;
}

// A body is seven doubles in a row.
double *component(std::vector<Body> &bodies, int index) { return &bodies[0].position.x + index; }

double missed_from(int index, double change) {
    std::vector<Body> bodies = system_at_start();
    *component(bodies, index) += change;
    return miss(bodies.data(), (int)bodies.size());
}

} // namespace

int main() {
    static const char *const names[] = {"x", "y", "z", "vx", "vy", "vz", "mass"};
    std::vector<Body> found = gradient();
    int wrong = 0;
    std::printf("body         d miss / d       gradient   central difference\n");
    for (int i = 0; i < 7 * (int)found.size(); i++) {
        double h = 1e-5, expected = (missed_from(i, h) - missed_from(i, -h)) / (2 * h), value = *component(found, i);
        bool agrees = std::fabs(value - expected) <= 1e-6 * (1 + std::fabs(expected));
        wrong += !agrees;
        std::printf("%4d %18s %+14.8f %+20.8f%s\n", i / 7, names[i % 7], value, expected, agrees ? "" : "  DISAGREES");
    }
    return wrong != 0;
}
