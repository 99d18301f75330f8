"""The stand-ins for libstdc++'s trees and lists, put in the place of the library's, do what these do."""

from __future__ import annotations

from .conftest import CLANG, Project
from .test_stand_ins import SOURCES

PLAIN = "#define EZ_STAND_IN_H\n#define STAND_IN(NAME) NAME\n"
MAIN = """
#include <algorithm>
#include <list>
#include <random>
#include <set>
#include <vector>
static std::mt19937 any(1);
template <class A, class B> bool same(const A &a, const B &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end()) && std::equal(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}
// black nodes on each way down; -1 where the rules of red-black trees are broken
template <class N> int blacks(const N *n) {
  if (!n)
    return 1;
  bool red = n->_M_color == std::_S_red;
  for (auto *child : {n->_M_left, n->_M_right})
    if (red && child && child->_M_color == std::_S_red)
      return -1;
  int left = blacks(n->_M_left), right = blacks(n->_M_right);
  return left < 0 || left != right ? -1 : left + !red;
}
bool trees() {
  std::multiset<int> s;
  std::vector<int> v;
  for (int k = 0; k < 3000; k++) {
    if (any() % 100 < 55 || v.empty()) {
      int x = any() % 100;
      s.insert(x);
      v.insert(std::upper_bound(v.begin(), v.end(), x), x);
    } else {
      int x = v[any() % v.size()];
      s.erase(s.find(x));
      v.erase(std::lower_bound(v.begin(), v.end(), x));
    }
    if (!same(s, v) || (!v.empty() && blacks(s.end()._M_node->_M_parent) < 0))
      return false;
  }
  while (!s.empty())
    s.erase(s.begin());
  return s.begin() == s.end();
}
bool lists() {
  std::list<int> a, b;
  std::vector<int> u, w;
  for (int k = 0; k < 2000; k++) {
    switch (any() % 6) {
    case 0: a.push_back(k), u.push_back(k); break;
    case 1: b.push_front(k), w.insert(w.begin(), k); break;
    case 2: a.swap(b), u.swap(w); break;
    case 3: a.reverse(), std::reverse(u.begin(), u.end()); break;
    case 4:
      if (!a.empty())
        a.pop_front(), u.erase(u.begin());
      break;
    case 5:
      u.insert(u.begin() + u.size() / 2, w.begin(), w.end()), w.clear();
      a.splice(std::next(a.begin(), a.size() / 2), b);
    }
    if (!same(a, u) || !same(b, w))
      return false;
  }
  a.sort(), std::sort(u.begin(), u.end());
  return same(a, u);
}
int main() { return trees() + 2 * lists(); }
"""


def test_trees_and_lists(project: Project) -> None:
    project.write("main.cpp", MAIN)
    for name in ("cxx_tree", "cxx_list"):
        project.write(f"{name}.c", PLAIN + (SOURCES / f"{name}.c").read_text())
        project.run(CLANG, "-I", str(SOURCES), "-c", f"{name}.c")
    project.run("clang++-22", "main.cpp", "cxx_tree.o", "cxx_list.o", "-o", "program")
    assert project.try_run("./program").status == 3
