#include "bodies.hpp"

namespace {

constexpr double softening = 1e-2; // no force grows beyond all bounds when two bodies meet

} // namespace

void accelerate(const std::vector<Body> &bodies, std::vector<Vector> &accelerations) {
    for (size_t i = 0; i < bodies.size(); i++) {
        Vector sum{0, 0, 0};
        for (size_t j = 0; j < bodies.size(); j++) {
            Vector apart = bodies[j].position - bodies[i].position;
            double squared = dot(apart, apart) + softening;
            sum += (bodies[j].mass / (squared * std::sqrt(squared))) * apart;
        }
        accelerations[i] = sum;
    }
}
