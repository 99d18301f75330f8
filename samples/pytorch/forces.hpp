// Bodies that attract each other. Each component has an array of its own: compilers make vector instructions of that.
#pragma once

#include <vector>

struct Vectors {
    std::vector<double> x, y, z;

    explicit Vectors(int count) : x(count), y(count), z(count) {}
};

// The accelerations of all bodies by their attraction.
void accelerate(const Vectors &position, const double *mass, Vectors &acceleration);
