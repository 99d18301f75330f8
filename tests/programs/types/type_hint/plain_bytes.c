#include <string.h>
void put(unsigned char *to, double value) { memcpy(to, &value, sizeof value); }
void put_float(unsigned char *to, float value) { memcpy(to, &value, sizeof value); }
double get(const unsigned char *from) {
  double value;
  memcpy(&value, from, sizeof value);
  return value;
}
float get_float(const unsigned char *from) {
  float value;
  memcpy(&value, from, sizeof value);
  return value;
}
