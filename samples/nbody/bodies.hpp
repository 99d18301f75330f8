// Bodies that attract each other, and their motion.
#pragma once

#include <cmath>

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

// One step of length `dt`, in place: velocities by the forces of all other bodies, then positions (symplectic Euler).
void step(Body *bodies, int count, double dt);
