#include <cmath>

namespace {

struct Vector {
    float x, y;
};

constexpr float gravity = 9.81f, drag = 0.01f, dt = 0.02f;

// Where a ball lands that leaves the ground with this velocity, in metres. The air slows it down by the square of its
// speed.
float distance(Vector velocity) {
    Vector place{0, 0}, before{0, 0};
    do {
        before = place;
        const float slowed = drag * std::hypot(velocity.x, velocity.y);
        velocity.x -= dt * slowed * velocity.x;
        velocity.y -= dt * (slowed * velocity.y + gravity);
        place.x += dt * velocity.x;
        place.y += dt * velocity.y;
    } while (place.y > 0);
    return before.x + (place.x - before.x) * before.y / (before.y - place.y);
}

} // namespace

// aims: n × 2, angle above the ground and speed of each ball; landed: n.
extern "C" void fly(const float *aims, int n, float *landed) {
    for (int i = 0; i < n; i++)
        landed[i] = distance({aims[2 * i + 1] * std::cos(aims[2 * i]), aims[2 * i + 1] * std::sin(aims[2 * i])});
}
