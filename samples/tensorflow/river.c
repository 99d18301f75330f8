#include <math.h>

static double fraction(double log_odds) { return 1 / (1 + exp(-log_odds)); }

/* The flow of a river at a gauge, day by day, for several years of rain (n × days, in mm). Rain fills the soil; what the
 * soil cannot hold runs off at once. Each day a fraction of the soil's water becomes groundwater, and a fraction of that
 * flows into the river. parameters: the logarithm of the soil's depth in mm, and the log-odds of both fractions. */
void river(const double *rain, int n, int days, const double *parameters, double *flow) {
  const double depth = exp(parameters[0]), drained = fraction(parameters[1]), seeped = fraction(parameters[2]);
  for (int year = 0; year < n; year++) {
    double soil = 0, ground = 0;
    for (int day = 0; day < days; day++, rain++, flow++) {
      soil += *rain;
      const double over = fmax(soil - depth, 0);
      soil -= over;
      const double down = drained * soil, out = seeped * ground;
      soil -= down;
      ground += down - out;
      *flow = over + out;
    }
  }
}
