#include "bodies.hpp"

#include <vector>

namespace {

constexpr double softening = 1e-2; // no force grows beyond all bounds when two bodies meet

Vector acceleration(const Body *bodies, int count, int i) {
    Vector sum{0, 0, 0};
    for (int j = 0; j < count; j++) { // the body's own term is zero
        Vector apart = bodies[j].position - bodies[i].position;
        double squared = dot(apart, apart) + softening;
        sum += (bodies[j].mass / (squared * std::sqrt(squared))) * apart;
    }
    return sum;
}

} // namespace

void step(Body *bodies, int count, double dt) {
    std::vector<Vector> accelerations(count);
    for (int i = 0; i < count; i++)
        accelerations[i] = acceleration(bodies, count, i);
    for (int i = 0; i < count; i++) {
        bodies[i].velocity += dt * accelerations[i];
        bodies[i].position += dt * bodies[i].velocity;
    }
}
