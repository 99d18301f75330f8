// Roe's approximate fluxes of the Euler equations in three dimensions, with Harten's entropy fix, through the n faces
// between n + 1 states (density, momentum, energy); what is computed is a weighted sum. Derivatives: by all states.
#include "adbench.hpp"

const std::vector<int> default_sizes = {30}; // n

static constexpr auto heats = 1.4, fix = 0.1; // ratio of specific heats; part of the speed of sound

struct gas {
  double density, u, v, w, pressure, enthalpy;
};

static gas of(const double *state) {
  gas g;
  g.density = state[0];
  g.u = state[1] / state[0], g.v = state[2] / state[0], g.w = state[3] / state[0];
  g.pressure = (heats - 1) * (state[4] - g.density * (g.u * g.u + g.v * g.v + g.w * g.w) / 2);
  g.enthalpy = (state[4] + g.pressure) / g.density;
  return g;
}

static double fixed(double speed, double border) {
  double size = std::fabs(speed);
  return size < border ? (speed * speed / border + border) / 2 : size;
}

static void flux(const double *left, const double *right, double *out) {
  const gas l = of(left), r = of(right);
  double root_l = std::sqrt(l.density), root_r = std::sqrt(r.density), share = root_l / (root_l + root_r);
  double density = root_l * root_r, u = r.u + share * (l.u - r.u), v = r.v + share * (l.v - r.v);
  double w = r.w + share * (l.w - r.w), enthalpy = r.enthalpy + share * (l.enthalpy - r.enthalpy);
  double kinetic = (u * u + v * v + w * w) / 2, square = (heats - 1) * (enthalpy - kinetic), c = std::sqrt(square);
  // strengths of the waves, times their speeds
  double jump_p = r.pressure - l.pressure, jump_u = density * c * (r.u - l.u), jump_v = r.v - l.v, jump_w = r.w - l.w;
  double slow = fixed(u - c, fix * c) * (jump_p - jump_u) / (2 * square), middle = fixed(u, fix * c);
  double fast = fixed(u + c, fix * c) * (jump_p + jump_u) / (2 * square);
  double shear = middle * density;
  middle *= r.density - l.density - jump_p / square;
  double all = slow + middle + fast, sound = c * (fast - slow), mass_l = l.density * l.u, mass_r = r.density * r.u;
  out[0] = (mass_l + mass_r - all) / 2;
  out[1] = (mass_l * l.u + l.pressure + mass_r * r.u + r.pressure - (all * u + sound)) / 2;
  out[2] = (mass_l * l.v + mass_r * r.v - (all * v + shear * jump_v)) / 2;
  out[3] = (mass_l * l.w + mass_r * r.w - (all * w + shear * jump_w)) / 2;
  out[4] = (mass_l * l.enthalpy + mass_r * r.enthalpy - ((slow + fast) * enthalpy + u * sound + middle * kinetic +
                                                         shear * (v * jump_v + w * jump_w))) / 2;
}

static double objective(int n, const double *states, const double *weights) {
  double sum = 0;
  for (int face = 0; face < n; face++) {
    double out[5];
    flux(states + 5 * face, states + 5 * face + 5, out);
    for (int k = 0; k < 5; k++)
      sum += weights[5 * face + k] * out[k];
  }
  return sum;
}

static void of_adjoint(const double *state, const gas &g, gas d, double *d_state) {
  double inverse = 1 / state[0], d_energy = d.enthalpy * inverse;
  d.pressure += d_energy;
  d.density -= d_energy * g.enthalpy + (heats - 1) * d.pressure * (g.u * g.u + g.v * g.v + g.w * g.w) / 2;
  d_energy += (heats - 1) * d.pressure;
  double by_speed = (heats - 1) * d.pressure * g.density;
  d.u -= by_speed * g.u, d.v -= by_speed * g.v, d.w -= by_speed * g.w;
  d_state[0] += d.density - (d.u * g.u + d.v * g.v + d.w * g.w) * inverse;
  d_state[1] += d.u * inverse, d_state[2] += d.v * inverse, d_state[3] += d.w * inverse;
  d_state[4] += d_energy;
}

// the flux of one side
static gas side_adjoint(const gas &g, const double *d) {
  double mass = g.density * g.u, d_mass = d[0] + d[1] * g.u + d[2] * g.v + d[3] * g.w + d[4] * g.enthalpy;
  return {d_mass * g.u, d_mass * g.density + d[1] * mass, d[2] * mass, d[3] * mass, d[1], d[4] * mass};
}

struct slopes {
  double speed, border;
};

static slopes fixed_slopes(double speed, double border) {
  if (std::fabs(speed) >= border)
    return {speed < 0 ? -1. : 1., 0};
  double part = speed / border;
  return {part, (1 - part * part) / 2};
}

static void flux_adjoint(const double *left, const double *right, const double *weights, double *d_left,
                         double *d_right) {
  const gas l = of(left), r = of(right);
  double root_l = std::sqrt(l.density), root_r = std::sqrt(r.density), share = root_l / (root_l + root_r);
  double density = root_l * root_r, u = r.u + share * (l.u - r.u), v = r.v + share * (l.v - r.v);
  double w = r.w + share * (l.w - r.w), enthalpy = r.enthalpy + share * (l.enthalpy - r.enthalpy);
  double kinetic = (u * u + v * v + w * w) / 2, square = (heats - 1) * (enthalpy - kinetic), c = std::sqrt(square);
  double jump_p = r.pressure - l.pressure, jump_u = r.u - l.u, jump_v = r.v - l.v, jump_w = r.w - l.w;
  double half = 1 / (2 * square), push = density * c * jump_u, contact = r.density - l.density - jump_p / square;
  double strength_slow = (jump_p - push) * half, strength_fast = (jump_p + push) * half;
  double speed_slow = fixed(u - c, fix * c), speed_middle = fixed(u, fix * c), speed_fast = fixed(u + c, fix * c);
  double slow = speed_slow * strength_slow, middle = speed_middle * contact, fast = speed_fast * strength_fast;
  double shear = speed_middle * density, all = slow + middle + fast, sound = c * (fast - slow);

  double d[5], b[5]; // of both sides' fluxes, and of what is subtracted
  for (int k = 0; k < 5; k++)
    d[k] = weights[k] / 2, b[k] = -d[k];
  gas d_l = side_adjoint(l, d), d_r = side_adjoint(r, d);

  double common = b[0] + b[1] * u + b[2] * v + b[3] * w, d_sound = b[1] + b[4] * u;
  double d_slow = common + b[4] * enthalpy - c * d_sound, d_fast = common + b[4] * enthalpy + c * d_sound;
  double d_middle = common + b[4] * kinetic;
  double d_shear = b[2] * jump_v + b[3] * jump_w + b[4] * (v * jump_v + w * jump_w);
  double d_jump_v = shear * (b[2] + b[4] * v), d_jump_w = shear * (b[3] + b[4] * w);
  double d_u = b[1] * all + b[4] * sound, d_c = d_sound * (fast - slow), d_enthalpy = b[4] * (slow + fast);
  double d_v = b[2] * all + b[4] * shear * jump_v, d_w = b[3] * all + b[4] * shear * jump_w;
  double d_kinetic = b[4] * middle;

  slopes at_slow = fixed_slopes(u - c, fix * c), at_middle = fixed_slopes(u, fix * c);
  slopes at_fast = fixed_slopes(u + c, fix * c);
  double d_speed_slow = d_slow * strength_slow, d_speed_fast = d_fast * strength_fast;
  double d_speed_middle = d_middle * contact + d_shear * density;
  d_u += d_speed_slow * at_slow.speed + d_speed_middle * at_middle.speed + d_speed_fast * at_fast.speed;
  d_c += d_speed_fast * at_fast.speed - d_speed_slow * at_slow.speed +
         fix * (d_speed_slow * at_slow.border + d_speed_middle * at_middle.border + d_speed_fast * at_fast.border);

  double d_strength_slow = d_slow * speed_slow, d_strength_fast = d_fast * speed_fast, d_contact = d_middle * speed_middle;
  double d_push = (d_strength_fast - d_strength_slow) * half;
  double d_jump_p = (d_strength_fast + d_strength_slow) * half - d_contact / square;
  double d_square = (d_contact * jump_p / square - d_strength_slow * strength_slow - d_strength_fast * strength_fast) / square;
  double d_density = d_shear * speed_middle + d_push * c * jump_u, d_jump_u = d_push * density * c;
  d_c += d_push * density * jump_u;
  d_square += d_c / (2 * c);
  d_enthalpy += (heats - 1) * d_square, d_kinetic -= (heats - 1) * d_square;
  d_u += u * d_kinetic, d_v += v * d_kinetic, d_w += w * d_kinetic;

  double d_share = d_u * (l.u - r.u) + d_v * (l.v - r.v) + d_w * (l.w - r.w) + d_enthalpy * (l.enthalpy - r.enthalpy);
  double rest = 1 - share, by_root = d_share / (root_l + root_r);
  d_l.density += (by_root * rest + d_density * root_r) / (2 * root_l) - d_contact;
  d_r.density += (d_density * root_l - by_root * share) / (2 * root_r) + d_contact;
  d_l.u += share * d_u - d_jump_u, d_r.u += rest * d_u + d_jump_u;
  d_l.v += share * d_v - d_jump_v, d_r.v += rest * d_v + d_jump_v;
  d_l.w += share * d_w - d_jump_w, d_r.w += rest * d_w + d_jump_w;
  d_l.pressure -= d_jump_p, d_r.pressure += d_jump_p;
  d_l.enthalpy += share * d_enthalpy, d_r.enthalpy += rest * d_enthalpy;
  of_adjoint(left, l, d_l, d_left);
  of_adjoint(right, r, d_r, d_right);
}

struct roe final : problem {
  int n;
  numbers states, weights;

  explicit roe(int n) : n(n) {
    generator random;
    weights = random(5ul * n, -1, 1);
    for (int cell = 0; cell <= n; cell++) { // some of the waves are slow enough for the entropy fix
      double density = random(0.5, 1.5), u = random(-1.5, 1.5), v = random(-0.5, 0.5), w = random(-0.5, 0.5);
      double energy = random(0.5, 1.5) / (heats - 1) + density * (u * u + v * v + w * w) / 2;
      states.insert(states.end(), {density, density * u, density * v, density * w, energy});
    }
    result.resize(states.size());
  }
  double primal() override { return objective(n, states.data(), weights.data()); }
  void derivative() override {
    result.assign(result.size(), 0);
    __enzyme_autodiff((void *)objective, enzyme_const, n, enzyme_dup, states.data(), result.data(), enzyme_const,
                      weights.data());
  }
  void by_hand() override {
    result.assign(result.size(), 0);
    for (int face = 0; face < n; face++) {
      std::size_t left = 5 * face, right = left + 5;
      flux_adjoint(&states[left], &states[right], &weights[left], &result[left], &result[right]);
    }
  }
};

problem *make_problem(const std::vector<int> &s) { return new roe(s[0]); }
