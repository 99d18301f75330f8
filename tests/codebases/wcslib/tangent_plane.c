/* The place in the sky of a pixel of an image in gnomonic projection: wcsset makes the tables that wcsp2s follows. */
#include "check.h"
#include <wcslib.h>

static struct wcsprm before;

static void make(struct wcsprm *image, double right_ascension, double declination) {
  image->flag = -1;
  wcsini(1, 2, image);
  strcpy(image->ctype[0], "RA---TAN");
  strcpy(image->ctype[1], "DEC--TAN");
  image->crpix[0] = 51, image->crpix[1] = 44;
  image->cdelt[0] = -0.02, image->cdelt[1] = 0.03;
  image->crval[0] = right_ascension, image->crval[1] = declination;
  wcsset(image);
}

static double place(struct wcsprm *image, const double *x) {
  double pixel[2] = {x[0], x[1]}, intermediate[2], phi, theta, world[2];
  int status[2];
  wcsp2s(image, 1, 2, pixel, intermediate, &phi, &theta, world, status);
  return world[0] + 0.3 * world[1] * world[1];
}

static double outside(double *x) { return place(&before, x); }

static double inside(double *x) {
  struct wcsprm image;
  make(&image, x[2], x[3]);
  double value = place(&image, x);
  wcsfree(&image);
  return value;
}

int main(void) {
  make(&before, 45, 30);
  CHECK_HANDLE(inside, outside, 10.5, 17.25, 45, 30);
  return failures;
}
