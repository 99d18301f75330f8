#include "forces.hpp"

// Moves n bodies for a number of steps of length dt (symplectic Euler), and writes their positions after each step.
// position, velocity: n × 3; mass: n; path: steps × n × 3.
extern "C" void simulate(const double *position, const double *velocity, const double *mass, int n, int steps, double dt,
                         double *path) {
    Vectors p(n), v(n), a(n);
    for (int i = 0; i < n; i++) {
        p.x[i] = position[3 * i], p.y[i] = position[3 * i + 1], p.z[i] = position[3 * i + 2];
        v.x[i] = velocity[3 * i], v.y[i] = velocity[3 * i + 1], v.z[i] = velocity[3 * i + 2];
    }
    for (int done = 0; done < steps; done++) {
        accelerate(p, mass, a);
        for (int i = 0; i < n; i++) {
            *path++ = p.x[i] += dt * (v.x[i] += dt * a.x[i]);
            *path++ = p.y[i] += dt * (v.y[i] += dt * a.y[i]);
            *path++ = p.z[i] += dt * (v.z[i] += dt * a.z[i]);
        }
    }
}
