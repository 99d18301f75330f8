#include "bodies.hpp"

// Moves n bodies for a number of steps of length dt (symplectic Euler), and writes their positions after each step.
// position, velocity: n × 3; mass: n; path: steps × n × 3.
extern "C" void simulate(const double *position, const double *velocity, const double *mass, int n, int steps, double dt,
                         double *path) {
    std::vector<Body> bodies;
    for (int i = 0; i < n; i++) {
        const double *x = position + 3 * i, *v = velocity + 3 * i;
        bodies.push_back({{x[0], x[1], x[2]}, {v[0], v[1], v[2]}, mass[i]});
    }
    std::vector<Vector> accelerations(n);
    for (int step = 0; step < steps; step++) {
        accelerate(bodies, accelerations);
        for (int i = 0; i < n; i++) {
            bodies[i].velocity += dt * accelerations[i];
            bodies[i].position += dt * bodies[i].velocity;
            *path++ = bodies[i].position.x;
            *path++ = bodies[i].position.y;
            *path++ = bodies[i].position.z;
        }
    }
}
