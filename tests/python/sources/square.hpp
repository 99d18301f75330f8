// A header, for the test that a function is built again when its header changes.
#pragma once
inline double square(double x) { return x * x; }
