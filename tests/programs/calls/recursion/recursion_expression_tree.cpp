/* An expression tree, evaluated by virtual functions that call each other through pointers. */
#include "../../check.h"
#include <memory>
#include <utility>

struct Node {
  virtual double value(const double *x) const = 0;
  virtual ~Node() = default;
};
using Owned = std::unique_ptr<Node>;

struct Variable : Node {
  int index;
  explicit Variable(int i) : index(i) {}
  double value(const double *x) const override { return x[index]; }
};
struct Sum : Node {
  Owned left, right;
  Sum(Owned l, Owned r) : left(std::move(l)), right(std::move(r)) {}
  double value(const double *x) const override { return left->value(x) + right->value(x); }
};
struct Product : Node {
  Owned left, right;
  Product(Owned l, Owned r) : left(std::move(l)), right(std::move(r)) {}
  double value(const double *x) const override { return left->value(x) * right->value(x); }
};
struct Sine : Node {
  Owned inner;
  explicit Sine(Owned i) : inner(std::move(i)) {}
  double value(const double *x) const override { return std::sin(inner->value(x)); }
};

static Owned balanced(int depth, int &leaves) {
  if (depth == 0)
    return Owned(new Variable(leaves++ & 3));
  Owned left = balanced(depth - 1, leaves);
  if ((leaves + depth) % 3 == 0)
    return Owned(new Sine(std::move(left)));
  Owned right = balanced(depth - 1, leaves);
  if ((leaves + depth) % 3 == 1)
    return Owned(new Sum(std::move(left), std::move(right)));
  return Owned(new Product(std::move(left), std::move(right)));
}

static Owned chain(int depth) {
  Owned tree(new Variable(0));
  for (int i = 0; i < depth; i++) {
    Owned leaf(new Variable(i & 3));
    if (i & 1)
      tree = Owned(new Sine(Owned(new Sum(std::move(tree), std::move(leaf)))));
    else
      tree = Owned(new Product(std::move(tree), Owned(new Sine(std::move(leaf)))));
  }
  return tree;
}

static const Node *root;
static double evaluate(double *x) { return root->value(x); }

int main() {
  int leaves = 0;
  Owned tree = balanced(6, leaves);
  root = tree.get();
  CHECK(evaluate, 0.9, 1.2, 0.7, 0.4);
  tree = chain(9);
  root = tree.get();
  CHECK(evaluate, 0.9, 1.2, 0.7, 0.4);
  tree = chain(20000);
  root = tree.get();
  CHECK(evaluate, 0.9, 1.2, 0.7, 0.4);
  return failures;
}
