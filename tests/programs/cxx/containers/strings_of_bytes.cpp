// Bytes of numbers in std::string, std::wstring and streams: they keep their derivatives.
#include "../../check.h"

#include <fstream>
#include <sstream>
#include <string>

template <class T> static T number_at(const std::string &bytes, size_t place) {
  T number;
  memcpy(&number, bytes.data() + place, sizeof number);
  return number;
}
static void put(std::string &bytes, double number) {
  bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
}
static std::string packed(double number) {
  std::string bytes;
  put(bytes, number);
  return bytes;
}
struct Message {
  std::string name = "a name that is too long for the string itself", bytes;
  double scale = 1;
};

static double appended(double *x) {
  std::string bytes;
  for (int i = 0; i < 9; i++)
    put(bytes, x[i % 2] * i);
  double sum = 0;
  for (int i = 0; i < 9; i++)
    sum += number_at<double>(bytes, 8 * i) * number_at<double>(bytes, 8 * i);
  return sum;
}
static double edited(double *x) {
  std::string bytes = packed(x[0] * x[1]) + packed(x[1] * x[1]), more(8, 'a');
  more.append(bytes, 8, 8).insert(0, bytes.substr(0, 8));
  std::string moved = std::move(more), swapped;
  swapped.swap(moved);
  swapped.erase(8, 8);
  return number_at<double>(swapped, 0) * number_at<double>(swapped, 8);
}
static double in_objects(double *x) {
  Message message;
  message.bytes = packed(x[0] * x[0]);
  put(message.bytes, x[1]);
  message.scale = x[1];
  message.name += " and more";
  Message copy = message;
  return number_at<double>(copy.bytes, 0) * number_at<double>(copy.bytes, 8) * copy.scale + copy.name.size();
}
static double in_wide_characters(double *x) {
  double product = x[0] * x[1], got;
  std::wstring bytes(reinterpret_cast<const wchar_t *>(&product), 2);
  bytes.append(reinterpret_cast<const wchar_t *>(&x[0]), 2);
  memcpy(&got, bytes.data() + 2, sizeof got);
  double sum = got * got;
  memcpy(&got, bytes.data(), sizeof got);
  return sum * got;
}
static double in_streams(double *x) {
  std::stringstream stream;
  int count = 2;
  double first = x[0] * x[1], got[2];
  stream.write(reinterpret_cast<const char *>(&count), sizeof count);
  stream.write(reinterpret_cast<const char *>(&first), sizeof first);
  stream.write(reinterpret_cast<const char *>(&x[1]), sizeof x[1]);
  stream.read(reinterpret_cast<char *>(&count), sizeof count);
  stream.read(reinterpret_cast<char *>(got), sizeof got);
  return count * got[0] * got[1];
}
static double in_texts_of_streams(double *x) {
  std::ostringstream stream;
  double numbers[3] = {x[0] * x[1], x[1], 3};
  stream.write(reinterpret_cast<const char *>(numbers), sizeof numbers);
  std::string text = stream.str();
  return number_at<double>(text, 0) * number_at<double>(text, 8) * number_at<double>(text, 16);
}

int main() {
  CHECK(appended, 1.5, -0.4);
  CHECK(edited, 1.5, -0.4);
  CHECK(in_objects, 1.5, -0.4);
  CHECK(in_wide_characters, 1.5, -0.4);
  CHECK(in_streams, 1.5, -0.4);
  CHECK(in_texts_of_streams, 1.5, -0.4);
  return failures;
}
