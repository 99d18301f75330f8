/* Two thousand steps of work on text, without arithmetic of numbers. */
#include <stdexcept>
#include <string>

#define STEP n = (n ^ (unsigned char)text[n & 3]) * 16777619u + (n >> 3) + 1;
#define EIGHT STEP STEP STEP STEP STEP STEP STEP STEP
#define MANY EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT
#define ALL MANY MANY MANY MANY MANY MANY MANY MANY

__attribute__((noinline, optnone)) static int parse(const char *text) {
  unsigned n = 0;
  ALL ALL ALL ALL ALL
  return n;
}

int check(const std::string &name) {
  if (parse(name.c_str()) && name == "bad")
    throw std::runtime_error("bad name");
  return 1;
}
