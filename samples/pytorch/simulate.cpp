#include "bodies.hpp"

#include <vector>

// Moves n bodies for a number of steps of length dt (symplectic Euler), and writes their positions after each step.
// position, velocity: n × 3; mass: n; path: steps × n × 3.
extern "C" void simulate(const double *position, const double *velocity, const double *mass, int n, int steps, double dt,
                         double *path) {
    std::vector<Body> bodies;
    for (int i = 0; i < n; i++) {
        const double *x = position + 3 * i, *v = velocity + 3 * i;
        bodies.push_back({{x[0], x[1], x[2]}, {v[0], v[1], v[2]}, mass[i]});
    }
    for (int done = 0; done < steps; done++) {
        step(bodies.data(), n, dt);
        for (const Body &body : bodies) {
            *path++ = body.position.x;
            *path++ = body.position.y;
            *path++ = body.position.z;
        }
    }
}
