double cube(double x);
struct taped {
  void *tape;
  double result;
};
struct taped augmented(double x);
double reverse(double x, double d, void *tape);
double derivative(double x, double dx);
