/* A colour of sRGB as one of Lab, by the profiles of both, and its difference to another one. lcms2 is compiled with
 * numbers of double precision. A profile of calls says which stages its pipelines have. */
#include "check.h"
#include <lcms2.h>

static cmsHTRANSFORM before;

static cmsHTRANSFORM make(void) {
  cmsHPROFILE rgb = cmsCreate_sRGBProfile(), lab = cmsCreateLab4Profile(NULL);
  cmsHTRANSFORM made = cmsCreateTransform(rgb, TYPE_RGB_DBL, lab, TYPE_Lab_DBL, INTENT_PERCEPTUAL, cmsFLAGS_NOOPTIMIZE);
  cmsCloseProfile(rgb);
  cmsCloseProfile(lab);
  return made;
}

static double difference(double *x) {
  cmsCIELab lab, other = {50, 20, -10};
  cmsDoTransform(before, x, &lab, 1);
  return cmsCIE2000DeltaE(&lab, &other, 1, 1, 1);
}

int main(void) {
  before = make();
  CHECK(difference, 0.8, 0.3, 0.5);
  return failures;
}
