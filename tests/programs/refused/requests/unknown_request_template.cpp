// EZ0214: the name of a template is said as the source has it. expect: the request __enzyme_gradient is not known
template <typename Result, typename... Arguments> Result __enzyme_gradient(Arguments...);
double f(double x) { return x * x; }
int main() { return __enzyme_gradient<double>((void *)f, 3.0) != 6; }
