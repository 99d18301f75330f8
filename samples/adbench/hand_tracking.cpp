// Hand tracking (ADBench): distances of n measured points from a hand's surface, whose pose has 26 parameters: a
// rotation (an axis times an angle) and a translation of the whole, and four angles for each finger. The surface is a
// mesh that 21 bones move (linear blend skinning). In the simple problem, a point belongs to a vertex; in the
// complicated one, to a place in a triangle, which two more numbers tell. Derivatives: the Jacobian by columns, one
// direction at a time, forward: the 26 columns of the pose, after those by the places (both in two directions).
#include "adbench.hpp"
#include <algorithm>
#include <cstring>

const std::vector<int> default_sizes = {0, 20, 60}; // complicated (0 or 1), points, vertices
enum { fingers = 5, bones = 1 + 4 * fingers, poses = 26 };

// rotation by columns, then translation
struct motion {
  double column[4][3];
};

static int parent(int bone) { return (bone - 1) % 4 == 0 ? 0 : bone - 1; }
// which of a pose's parameters turn a bone: bend, and for a finger's first joint also spread
static int bend_of(int bone) { return 6 + (bone - 1) / 4 * 4 + (bone - 1) % 4; }

static void combine(const motion &a, const motion &b, motion &out) {
  for (int c = 0; c < 4; c++)
    for (int r = 0; r < 3; r++) {
      double sum = c == 3 ? a.column[3][r] : 0;
      for (int k = 0; k < 3; k++)
        sum += a.column[k][r] * b.column[c][k];
      out.column[c][r] = sum;
    }
}

// turn by x about the first axis, then by z about the third
static void turn(double x, double z, motion &out) {
  double cx = std::cos(x), sx = std::sin(x), cz = std::cos(z), sz = std::sin(z);
  out = {{{cz, sz, 0}, {-sz * cx, cz * cx, sx}, {sz * sx, -cz * sx, cx}, {0, 0, 0}}};
}

static void rotation_of(const double *axis, motion &out) {
  double square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
  double angle = std::sqrt(square), x = axis[0] / angle, y = axis[1] / angle, z = axis[2] / angle;
  double s = std::sin(angle), c = std::cos(angle), v = 1 - c;
  out = {{{x * x * v + c, y * x * v + z * s, z * x * v - y * s},
          {x * y * v - z * s, y * y * v + c, z * y * v + x * s},
          {x * z * v + y * s, y * z * v - x * s, z * z * v + c},
          {0, 0, 0}}};
}

struct hand_model {
  int vertices;
  const motion *relative, *to_bone; // of each bone at rest: to its parent's frame, from the world's frame
  const double *weights, *base;     // of bones by vertices; places of vertices at rest
};

// where the vertices are
static void skin(const hand_model *hand, const double *pose, double *vertices) {
  motion frames[bones], global;
  frames[0] = hand->relative[0];
  for (int b = 1; b < bones; b++) {
    motion turned, moved;
    bool first = (b - 1) % 4 == 0, last = (b - 1) % 4 == 3;
    turn(last ? 0 : pose[bend_of(b)], first ? pose[bend_of(b) + 3] : 0, turned);
    combine(hand->relative[b], turned, moved);
    combine(frames[parent(b)], moved, frames[b]);
  }
  rotation_of(pose, global);
  const int n = hand->vertices;
  numbers blended(3 * n);
  for (int b = 0; b < bones; b++) {
    motion m;
    combine(frames[b], hand->to_bone[b], m);
    for (int v = 0; v < n; v++) {
      const double *p = hand->base + 3 * v, w = hand->weights[b * n + v];
      for (int r = 0; r < 3; r++)
        blended[3 * v + r] +=
            w * (m.column[0][r] * p[0] + m.column[1][r] * p[1] + m.column[2][r] * p[2] + m.column[3][r]);
    }
  }
  for (int v = 0; v < n; v++)
    for (int r = 0; r < 3; r++)
      vertices[3 * v + r] = global.column[0][r] * blended[3 * v] + global.column[1][r] * blended[3 * v + 1] +
                            global.column[2][r] * blended[3 * v + 2] + pose[3 + r];
}

static void simple(const hand_model *hand, int n, const double *points, const int *belongs, const double *pose,
                   double *out) {
  numbers vertices(3 * hand->vertices);
  skin(hand, pose, vertices.data());
  for (int i = 0; i < n; i++)
    for (int r = 0; r < 3; r++)
      out[3 * i + r] = points[3 * i + r] - vertices[3 * belongs[3 * i] + r];
}

static void complicated(const hand_model *hand, int n, const double *points, const int *belongs, const double *pose,
                        const double *places, double *out) {
  numbers vertices(3 * hand->vertices);
  skin(hand, pose, vertices.data());
  for (int i = 0; i < n; i++) {
    double u = places[2 * i], v = places[2 * i + 1];
    const double *a = &vertices[3 * belongs[3 * i]], *b = &vertices[3 * belongs[3 * i + 1]],
                 *c = &vertices[3 * belongs[3 * i + 2]];
    for (int r = 0; r < 3; r++)
      out[3 * i + r] = points[3 * i + r] - (u * a[r] + v * b[r] + (1 - u - v) * c[r]);
  }
}

// Columns of a Jacobian of the vertices by the pose: what moves a bone moves the bones behind it.
static void columns_by_hand(const hand_model *hand, const double *pose, double *vertices, double *columns) {
  const int n = hand->vertices;
  motion frames[bones], global, by_axis[3], whole[bones];
  std::vector<motion> tangents(poses * bones); // of frames, by the pose's parameters
  frames[0] = hand->relative[0];
  for (int b = 1; b < bones; b++) {
    bool first = (b - 1) % 4 == 0, last = (b - 1) % 4 == 3;
    double x = last ? 0 : pose[bend_of(b)], z = first ? pose[bend_of(b) + 3] : 0;
    double cx = std::cos(x), sx = std::sin(x), cz = std::cos(z), sz = std::sin(z);
    motion by_x = {{{0, 0, 0}, {sz * sx, -cz * sx, cx}, {sz * cx, -cz * cx, -sx}, {0, 0, 0}}};
    motion by_z = {{{-sz, cz, 0}, {-cz * cx, -sz * cx, 0}, {cz * sx, sz * sx, 0}, {0, 0, 0}}};
    motion turned, moved, base, none = hand->relative[b];
    turn(x, z, turned);
    combine(none, turned, moved);
    combine(frames[parent(b)], moved, frames[b]);
    combine(frames[parent(b)], none, base);
    std::memset(base.column[3], 0, sizeof base.column[3]);
    int own = bend_of(b) - (b - 1) % 4;
    for (int p = own; p < own + 4; p++) // the finger's parameters
      combine(tangents[p * bones + parent(b)], moved, tangents[p * bones + b]);
    if (!last)
      combine(base, by_x, tangents[bend_of(b) * bones + b]);
    if (first)
      combine(base, by_z, tangents[(bend_of(b) + 3) * bones + b]);
  }
  rotation_of(pose, global);
  // derivatives of the rotation: R's axes turn
  double square = pose[0] * pose[0] + pose[1] * pose[1] + pose[2] * pose[2];
  for (int k = 0; k < 3; k++) {
    // (pₖ [p]ₓ + [p × (1 - R) eₖ]ₓ) R / |p|² (Gallego and Yezzi 2015)
    double e[3] = {-global.column[k][0], -global.column[k][1], -global.column[k][2]};
    e[k] += 1;
    double c[3] = {pose[k] * pose[0] + pose[1] * e[2] - pose[2] * e[1],
                   pose[k] * pose[1] + pose[2] * e[0] - pose[0] * e[2],
                   pose[k] * pose[2] + pose[0] * e[1] - pose[1] * e[0]};
    for (int j = 0; j < 3; j++) {
      const double *g = global.column[j];
      by_axis[k].column[j][0] = (c[1] * g[2] - c[2] * g[1]) / square;
      by_axis[k].column[j][1] = (c[2] * g[0] - c[0] * g[2]) / square;
      by_axis[k].column[j][2] = (c[0] * g[1] - c[1] * g[0]) / square;
    }
  }
  for (int b = 0; b < bones; b++)
    combine(frames[b], hand->to_bone[b], whole[b]);
  numbers blended(3 * n);
  std::fill(columns, columns + (std::size_t)poses * 3 * n, 0);
  auto add = [&](const motion &m, int bone, double *out) {
    for (int v = 0; v < n; v++) {
      const double *p = hand->base + 3 * v, w = hand->weights[bone * n + v];
      for (int r = 0; r < 3; r++)
        out[3 * v + r] += w * (m.column[0][r] * p[0] + m.column[1][r] * p[1] + m.column[2][r] * p[2] + m.column[3][r]);
    }
  };
  auto rotate = [&](const motion &m, const double *p, double *out) {
    double x = p[0], y = p[1], z = p[2];
    for (int r = 0; r < 3; r++)
      out[r] = m.column[0][r] * x + m.column[1][r] * y + m.column[2][r] * z;
  };
  for (int b = 0; b < bones; b++) {
    add(whole[b], b, blended.data());
    if (b > 0) {
      int own = bend_of(b) - (b - 1) % 4;
      for (int p = own; p < own + 4; p++) {
        bool turns = p == own + 3 || p - own <= (b - 1) % 4;
        if (!turns)
          continue;
        motion m, t = tangents[p * bones + b];
        combine(t, hand->to_bone[b], m);
        add(m, b, columns + (std::size_t)p * 3 * n);
      }
    }
  }
  for (int v = 0; v < n; v++) {
    for (int k = 0; k < 3; k++) {
      rotate(by_axis[k], &blended[3 * v], columns + ((std::size_t)k * n + v) * 3);
      columns[((std::size_t)(3 + k) * n + v) * 3 + k] = 1;
    }
    for (int p = 6; p < poses; p++)
      rotate(global, columns + ((std::size_t)p * n + v) * 3, columns + ((std::size_t)p * n + v) * 3);
    rotate(global, &blended[3 * v], vertices + 3 * v);
    for (int r = 0; r < 3; r++)
      vertices[3 * v + r] += pose[3 + r];
  }
}

extern "C" void __enzyme_fwddiff_columns(void *, ...);
int enzyme_dupv;
enum { width = 2 }; // directions of one request: a divisor of `poses`, and as many as a place has numbers

struct hand_tracking final : problem {
  bool by_places;
  int n;
  hand_model hand;
  std::vector<motion> relative, to_bone;
  numbers weights, base, points, pose, places;
  std::vector<int> belongs;

  hand_tracking(bool by_places, int n, int vertices) : by_places(by_places), n(n) {
    generator random;
    for (int b = 0; b < bones; b++) {
      motion m[2];
      for (motion &one : m) {
        numbers axis = random(3, 0.1, 1), place = random(3, -1, 1);
        rotation_of(axis.data(), one);
        std::copy(place.begin(), place.end(), one.column[3]);
      }
      relative.push_back(m[0]), to_bone.push_back(m[1]);
    }
    weights = random(bones * vertices, 0, 1. / bones);
    base = random(3 * vertices, -1, 1);
    points = random(3 * n, -1, 1);
    pose = random(poses, 0.1, 0.5);
    places = random(2 * n, 0, 0.5);
    for (int i = 0; i < 3 * n; i++)
      belongs.push_back(random.next() % vertices);
    hand = {vertices, relative.data(), to_bone.data(), weights.data(), base.data()};
    result.resize((poses + 2 * by_places) * 3 * n);
  }
  double primal() override {
    numbers out(3 * n);
    if (by_places)
      complicated(&hand, n, points.data(), belongs.data(), pose.data(), places.data(), out.data());
    else
      simple(&hand, n, points.data(), belongs.data(), pose.data(), out.data());
    return out[0];
  }
  void derivative() override {
    numbers out(3 * n), directions(poses * poses), along(4 * n);
    double *columns = result.data();
    if (by_places) {
      for (int i = 0; i < 2 * n; i++)
        along[2 * n * (i % 2) + i] = 1;
      tangents(directions.data(), along.data(), out, columns);
      along.assign(4 * n, 0);
      columns += width * 3 * n;
    }
    for (int k = 0; k < poses; k++)
      directions[poses * k + k] = 1;
    for (int k = 0; k < poses; k += width, columns += width * 3 * n)
      tangents(&directions[poses * k], along.data(), out, columns);
  }
  // Columns along `width` directions at once: what does not depend on the direction is computed once.
  void tangents(const double *directions, const double *along, numbers &out, double *columns) {
    const std::size_t of_pose = poses * sizeof(double), of_places = 2 * n * sizeof(double);
    const std::size_t of_out = 3 * n * sizeof(double);
    if (by_places)
      __enzyme_fwddiff_columns((void *)complicated, enzyme_width, width, enzyme_const, &hand, enzyme_const, n,
                               enzyme_const, points.data(), enzyme_const, belongs.data(), enzyme_dupv, of_pose,
                               pose.data(), directions, enzyme_dupv, of_places, places.data(), along, enzyme_dupv,
                               of_out, out.data(), columns);
    else
      __enzyme_fwddiff_columns((void *)simple, enzyme_width, width, enzyme_const, &hand, enzyme_const, n, enzyme_const,
                               points.data(), enzyme_const, belongs.data(), enzyme_dupv, of_pose, pose.data(),
                               directions, enzyme_dupv, of_out, out.data(), columns);
  }
  void by_hand() override {
    const int size = 3 * hand.vertices;
    numbers vertices(size), columns((std::size_t)poses * size);
    columns_by_hand(&hand, pose.data(), vertices.data(), columns.data());
    double *at = result.data() + (by_places ? 6 * n : 0);
    for (int k = 0; k < poses; k++)
      for (int i = 0; i < n; i++) {
        const double *c = &columns[(std::size_t)k * size];
        double u = places[2 * i], v = places[2 * i + 1];
        const int *b = &belongs[3 * i];
        for (int r = 0; r < 3; r++)
          *at++ = by_places ? -(u * c[3 * b[0] + r] + v * c[3 * b[1] + r] + (1 - u - v) * c[3 * b[2] + r])
                            : -c[3 * b[0] + r];
      }
    for (int i = 0; by_places && i < n; i++)
      for (int r = 0; r < 3; r++)
        for (int k = 0; k < 2; k++)
          result[3 * n * k + 3 * i + r] = vertices[3 * belongs[3 * i + 2] + r] - vertices[3 * belongs[3 * i + k] + r];
  }
};

problem *make_problem(const std::vector<int> &s) { return new hand_tracking(s[0], s[1], s[2]); }
