// Bodies that attract each other.
#pragma once

#include <cmath>
#include <vector>

struct Vector {
    double x, y, z;

    Vector &operator+=(const Vector &other) {
        x += other.x;
        y += other.y;
        z += other.z;
        return *this;
    }
};

inline Vector operator-(const Vector &a, const Vector &b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector operator*(double factor, const Vector &v) { return {factor * v.x, factor * v.y, factor * v.z}; }
inline double dot(const Vector &a, const Vector &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

struct Body {
    Vector position, velocity;
    double mass;
};

// Writes the acceleration of each body by all others.
void accelerate(const std::vector<Body> &bodies, std::vector<Vector> &accelerations);
