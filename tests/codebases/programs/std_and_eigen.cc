#include <iostream>
#include <vector>
#include <map>
#include <unordered_map>
#include <string>
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <functional>
#include <thread>
#include <mutex>
#include <atomic>
#include <sstream>
#include <regex>
#include <variant>
#include <optional>
#include <Eigen/Dense>
#include <Eigen/Sparse>
struct Base { virtual ~Base(){} virtual double f(double)=0; };
struct D : Base { double f(double x) override { if (x<0) throw std::runtime_error("neg"); return std::sqrt(x); } };
std::atomic<int> counter{0};
std::mutex m;
thread_local int tl = 5;
double work(std::vector<double>& v, std::map<std::string,double>& mp){
  std::unordered_map<int,std::string> um; um[3]="x";
  std::unique_ptr<Base> p(new D);
  double s=0;
  try { for(auto&x:v) s+=p->f(x);} catch(std::runtime_error&e){ std::cerr<<e.what(); throw; } catch(...) { s=-1; }
  std::sort(v.begin(),v.end(),[](double a,double b){return a>b;});
  for(auto&[k,x]:mp) s+=x*k.size();
  std::lock_guard<std::mutex> g(m);
  counter++; tl++;
  std::variant<int,double,std::string> va = s; std::optional<long double> o = s*2.0L;
  s += std::visit([](auto&x)->double{ if constexpr(std::is_arithmetic_v<std::decay_t<decltype(x)>>) return x; else return x.size();}, va) + (double)*o;
  std::regex r("a+b*"); s += std::regex_match("aab", r);
  std::stringstream ss; ss<<s; std::string t; ss>>t; return std::stod(t);
}
int main(){
  Eigen::MatrixXd A=Eigen::MatrixXd::Random(50,50); Eigen::VectorXd b=Eigen::VectorXd::Random(50);
  Eigen::VectorXd x=A.partialPivLu().solve(b); std::cout<<x.norm()<<A.householderQr().solve(b)<<A.eigenvalues()<<A.jacobiSvd(Eigen::ComputeThinU|Eigen::ComputeThinV).solve(b);
  Eigen::SparseMatrix<double> S(10,10); S.insert(1,1)=2; Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ch(S); std::cout<<ch.solve(Eigen::VectorXd::Ones(10)).sum();
  std::vector<double> v{1,2,3}; std::map<std::string,double> mp{{"a",1}}; std::function<double()> f=[&]{return work(v,mp);};
  std::thread th([&]{ std::cout<<f(); }); th.join(); return 0; }
