/* The kernels of all operators that PyTorch calls compiled functions by.
 *
 * An operator is a function or one of its derivatives. It takes its tensors by groups (inputs; vectors, of which each may
 * be missing: it is zero), and behind them the integers that no shape gives. A tensor may have one axis more than its
 * parameter, in front: the entry point is then called for each element, and all results have that axis.
 *
 * Python describes a function once, as numbers (torch_operators.py writes what `read` reads here), and defines the
 * operators' schemas. Here are their kernels for the CPU, and their derivatives in both modes.
 */
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/library.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace {
using at::Tensor;
using c10::IValue;
using torch::autograd::variable_list;
using torch::jit::Stack;
using Shape = c10::SmallVector<int64_t, 6>;
using NodePointer = torch::autograd::function_constructor::result_type;
using EntryPoint = int (*)(void *const *, const int64_t *);

// -- what Python describes

struct Expression {
  enum { CONSTANT, SYMBOL, ADD, SUBTRACT, MULTIPLY };
  std::vector<std::pair<int64_t, int64_t>> steps;

  int64_t value(const int64_t *sizes) const {
    if (steps.size() == 1)
      return steps[0].first == CONSTANT ? steps[0].second : sizes[steps[0].second];
    c10::SmallVector<int64_t, 8> stack;
    for (auto [operation, operand] : steps) {
      if (operation <= SYMBOL) {
        stack.push_back(operation == CONSTANT ? operand : sizes[operand]);
        continue;
      }
      const int64_t right = stack.pop_back_val(), left = stack.back();
      const int64_t quotient = right ? left / right - (left % right && (left < 0) != (right < 0)) : 0;
      stack.back() = operation == ADD        ? left + right
                     : operation == SUBTRACT ? left - right
                     : operation == MULTIPLY ? left * right
                                             : quotient;
    }
    return stack.back();
  }
};

struct Parameter {
  at::ScalarType type;
  bool is_active, is_cleared;
  std::vector<Expression> axes;
};

struct Solution {
  int64_t size, input, axis;
};

/* `vectors` are numbers of the vectors of the operator that is differentiated, or -1: what comes from outside. */
struct Rule {
  int64_t kind = -1;
  std::vector<int64_t> vectors;
};

struct Function;
struct Operator {
  const Function *function;
  int64_t kind;
  std::string name;
  std::vector<std::vector<int64_t>> groups; // parameters, by groups
  std::vector<int64_t> results;             // parameters
  /* one for each buffer: the number of the tensor; of the result, less 1, negated; or NOTHING */
  std::vector<int64_t> slots;
  Rule by_input;
  std::vector<Rule> backward;
  c10::OperatorHandle handle{c10::Dispatcher::singleton().findSchemaOrThrow("enzyme_cc::build", "")};
  std::atomic<EntryPoint> entry{nullptr};
  const char *(*message)() = nullptr;
  std::vector<int64_t> taken; // the parameters of all groups

  enum : int64_t { NOTHING = 1 << 30 };
};

struct Function {
  int64_t number;
  std::string name;
  bool is_fortran;
  std::vector<Parameter> parameters;
  std::vector<std::pair<int64_t, int64_t>> limits;
  std::vector<Solution> solutions;
  std::vector<int64_t> passed;
  std::vector<std::unique_ptr<Operator>> operators;
};

std::vector<std::unique_ptr<Function>> functions;

struct Reader {
  const int64_t *at;
  int64_t next() { return *at++; }
  std::vector<int64_t> list() {
    std::vector<int64_t> found(next());
    for (auto &value : found)
      value = next();
    return found;
  }
  Rule rule() { return {next(), list()}; }
};

// -- the call

Shape shape_of(const Parameter &p, const int64_t *sizes) {
  Shape shape;
  for (auto &axis : p.axes)
    shape.push_back(axis.value(sizes));
  return shape;
}

/* Fortran's axes are the other way round in memory. It is its own inverse. */
Tensor with_c_axes(const Function &f, const Tensor &x, bool is_batched) {
  const int64_t rank = x.dim() - is_batched;
  if (!f.is_fortran || rank < 2)
    return x;
  Shape order;
  if (is_batched)
    order.push_back(0);
  for (int64_t axis = rank; axis-- > 0;)
    order.push_back(axis + is_batched);
  return x.permute(order);
}

[[noreturn]] void refuse(const Operator &o, c10::ArrayRef<IValue> given) {
  static const auto refused = c10::Dispatcher::singleton().findSchemaOrThrow("enzyme_cc::refuse", "");
  c10::List<Tensor> inputs;
  c10::List<int64_t> passed;
  for (size_t i = 0; i < o.groups[0].size(); i++)
    inputs.push_back(given[i].toTensor());
  for (size_t i = o.taken.size(); i < given.size(); i++)
    passed.push_back(given[i].toInt());
  Stack stack{o.function->number, inputs, passed};
  refused.callBoxed(stack);
  TORCH_CHECK_VALUE(false, o.function->name, ": the vectors of a derivative have other shapes than the inputs");
}

struct Call {
  const Operator &o;
  const Function &f;
  c10::ArrayRef<IValue> given; // tensors, then integers
  int64_t batch = -1;          // -1: there is none
  c10::SmallVector<int64_t, 8> sizes;

  Call(const Operator &operator_, c10::ArrayRef<IValue> given_)
      : o(operator_), f(*operator_.function), given(given_), sizes(f.limits.size() + 1) {
    const bool fits = find_batch() && solve() && shapes_fit();
    if (!fits)
      refuse(o, given);
  }

  const Parameter &parameter(size_t i) const { return f.parameters[o.taken[i]]; }
  bool is_batched(size_t i) const { return given[i].toTensor().dim() > int64_t(parameter(i).axes.size()); }

  bool find_batch() {
    for (size_t i = 0; i < o.taken.size(); i++) {
      if (given[i].isNone())
        continue;
      const Tensor &x = given[i].toTensor();
      const int64_t more = x.dim() - int64_t(parameter(i).axes.size());
      if ((more != 0 && more != 1) || x.scalar_type() != parameter(i).type)
        return false;
      if (more && batch >= 0 && batch != x.size(0))
        return false;
      if (more)
        batch = x.size(0);
    }
    return true;
  }

  bool solve() {
    for (size_t i = 0; i < f.passed.size(); i++)
      sizes[f.passed[i]] = given[o.taken.size() + i].toInt();
    for (auto &solution : f.solutions) {
      const Expression &axis = parameter(solution.input).axes[solution.axis];
      const int64_t extent = given[solution.input].toTensor().size(solution.axis + is_batched(solution.input));
      int64_t &size = sizes[solution.size];
      size = extent;
      if (axis.steps.size() == 1)
        continue;
      size = 0;
      const int64_t at_zero = axis.value(sizes.data());
      size = 1;
      const int64_t slope = axis.value(sizes.data()) - at_zero;
      if (!slope)
        return false;
      size = (extent - at_zero) / slope;
    }
    for (size_t i = 0; i < f.limits.size(); i++)
      if (sizes[i] < f.limits[i].first || sizes[i] > f.limits[i].second)
        return false;
    return true;
  }

  bool shapes_fit() const {
    for (size_t i = 0; i < o.taken.size(); i++) {
      if (given[i].isNone())
        continue;
      const Tensor &x = given[i].toTensor();
      auto &axes = parameter(i).axes;
      const int64_t more = is_batched(i);
      for (size_t k = 0; k < axes.size(); k++)
        if (axes[k].value(sizes.data()) != x.size(k + more))
          return false;
    }
    return true;
  }

  Tensor made(int64_t number) const {
    const Parameter &p = f.parameters[number];
    Shape shape = shape_of(p, sizes.data());
    if (f.is_fortran)
      std::reverse(shape.begin(), shape.end());
    if (batch >= 0)
      shape.insert(shape.begin(), batch);
    const bool is_cleared = o.kind == 0 && p.is_cleared;
    return is_cleared ? at::zeros(shape, p.type) : at::empty(shape, p.type);
  }

  void run(Stack &results) const {
    static char nowhere[64]; // arrays without elements have an address, since NULL stands for a missing array
    std::vector<Tensor> kept;
    kept.reserve(o.taken.size() + o.results.size());
    c10::SmallVector<void *, 16> buffers(o.slots.size() + 1);
    c10::SmallVector<int64_t, 16> strides(o.slots.size());
    const auto place = [&](int64_t slot, const Tensor &x, bool has_batch) {
      for (size_t i = 0; i < o.slots.size(); i++)
        if (o.slots[i] == slot) {
          buffers[i] = x.numel() ? x.data_ptr() : nowhere;
          strides[i] = has_batch && x.numel() ? x.stride(0) * int64_t(x.element_size()) : 0;
        }
    };
    for (size_t i = 0; i < o.taken.size(); i++)
      if (!given[i].isNone()) {
        kept.push_back(with_c_axes(f, given[i].toTensor(), is_batched(i)).contiguous());
        place(i, kept.back(), is_batched(i));
      }
    for (size_t i = 0; i < o.results.size(); i++) {
      kept.push_back(made(o.results[i]));
      place(-1 - int64_t(i), kept.back(), batch >= 0);
      results.emplace_back(with_c_axes(f, kept.back(), batch >= 0));
    }
    const EntryPoint entry = o.entry;
    for (int64_t k = 0; k < (batch < 0 ? 1 : batch); k++) {
      const int status = entry(buffers.data(), sizes.data());
      TORCH_CHECK(status != 1, f.name, ": ", o.message());
      TORCH_CHECK_WITH(OutOfMemoryError, status == 0, f.name, ": no memory");
      for (size_t i = 0; i < o.slots.size(); i++)
        if (buffers[i])
          buffers[i] = static_cast<char *>(buffers[i]) + strides[i];
    }
  }
};

struct CPUKernel : c10::OperatorKernel {
  const Operator &o;
  explicit CPUKernel(const Operator &operator_) : o(operator_) {}

  void operator()(const c10::OperatorHandle &, c10::DispatchKeySet, Stack *stack) {
    if (!o.entry) {
      static const auto build = c10::Dispatcher::singleton().findSchemaOrThrow("enzyme_cc::build", "");
      Stack numbers{o.function->number, o.kind};
      build.callBoxed(numbers);
    }
    const size_t count = o.taken.size() + o.function->passed.size();
    Stack results;
    Call(o, torch::jit::last(*stack, count)).run(results);
    torch::jit::drop(*stack, count);
    std::move(results.begin(), results.end(), std::back_inserter(*stack));
  }
};

// -- derivatives

variable_list call(const Operator &o, std::vector<IValue> given) {
  o.handle.callBoxed(given);
  variable_list results;
  for (auto &x : given)
    results.push_back(std::move(x).toTensor());
  return results;
}

using Groups = std::vector<std::vector<IValue>>;

Groups by_groups(const Operator &o, c10::ArrayRef<IValue> given) {
  Groups found;
  for (auto &group : o.groups) {
    found.emplace_back(given.begin(), given.begin() + group.size());
    given = given.slice(group.size());
  }
  return found;
}

std::vector<IValue> joined(const std::vector<IValue> &inputs, const Groups &behind, c10::ArrayRef<IValue> passed) {
  std::vector<IValue> result(inputs);
  for (auto &group : behind)
    result.insert(result.end(), group.begin(), group.end());
  result.insert(result.end(), passed.begin(), passed.end());
  return result;
}

/* Calls what a rule says. `groups` are those of the operator that is differentiated. */
variable_list follow(
    const Operator &o, const Rule &rule, const Groups &groups, const std::vector<IValue> &change,
    c10::ArrayRef<IValue> passed) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      rule.kind >= 0, o.function->name, ": derivatives above the second order are not supported under PyTorch");
  Groups behind;
  for (int64_t number : rule.vectors)
    behind.push_back(number < 0 ? change : groups[1 + number]);
  return call(*o.function->operators[rule.kind], joined(groups[0], behind, passed));
}

IValue or_none(const Tensor &x) { return x.defined() ? IValue(x) : IValue(); }

std::vector<IValue> of_active(const Operator &o, const std::vector<int64_t> &parameters, c10::ArrayRef<IValue> values) {
  std::vector<IValue> found;
  for (size_t i = 0; i < parameters.size(); i++)
    if (o.function->parameters[parameters[i]].is_active)
      found.push_back(values[i]);
  return found;
}

bool any_given(const std::vector<IValue> &values) {
  return std::any_of(values.begin(), values.end(), [](auto &x) { return !x.isNone(); });
}

struct Derivative : torch::autograd::Node {
  const Operator &o;
  std::vector<torch::autograd::SavedVariable> saved;
  std::vector<IValue> passed;

  explicit Derivative(const Operator &operator_) : o(operator_) {}
  std::string name() const override { return o.name; }

  void release_variables() override {
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto &x : saved)
      x.reset_data();
  }

  variable_list apply(variable_list &&gradients) override {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<IValue> given, all;
    for (auto &x : gradients)
      all.push_back(or_none(x));
    for (auto &x : saved)
      given.push_back(or_none(x.unpack()));
    variable_list result(saved.size());
    const Groups groups = by_groups(o, given);
    if (!any_given(all))
      return result;
    for (size_t g = 0, first = 0; g < groups.size(); first += groups[g++].size())
      transpose(g, first, groups, all, result);
    return result;
  }

  void transpose(
      size_t g, size_t first, const Groups &groups, const std::vector<IValue> &cotangents, variable_list &result) {
    std::vector<size_t> members;
    bool is_needed = false;
    for (size_t i = 0; i < groups[g].size(); i++)
      if (g || o.function->parameters[o.groups[0][i]].is_active) {
        members.push_back(first + i);
        is_needed |= task_should_compute_output(first + i);
      }
    if (!is_needed)
      return;
    const auto found = follow(o, o.backward[g], groups, cotangents, passed);
    for (size_t i = 0; i < members.size(); i++) {
      if (!task_should_compute_output(members[i]))
        continue;
      const int64_t rank = o.function->parameters[o.taken[members[i]]].axes.size();
      const bool is_shared = given_rank(groups, g, members[i] - first) == rank && found[i].dim() > rank;
      result[members[i]] = is_shared ? found[i].sum(0) : found[i];
    }
  }

  static int64_t given_rank(const Groups &groups, size_t g, size_t i) {
    return groups[g][i].isNone() ? -1 : groups[g][i].toTensor().dim();
  }
};

/* Older versions of PyTorch count the references of nodes by std::shared_ptr. */
template <class Pointer, class Node = Derivative> Pointer made_node(const Operator &o) {
  if constexpr (std::is_constructible_v<Pointer, std::shared_ptr<Node>>)
    return Pointer(new Node(o), [](Node *node) { deleteNode(node); });
  else
    return c10::make_intrusive<Derivative>(o);
}

struct AutogradKernel : c10::OperatorKernel {
  const Operator &o;
  explicit AutogradKernel(const Operator &operator_) : o(operator_) {}

  void operator()(const c10::OperatorHandle &op, c10::DispatchKeySet keys, Stack *stack) {
    const size_t count = o.taken.size() + o.function->passed.size();
    const auto on_stack = torch::jit::last(*stack, count);
    bool has_tangents = false, has_gradients = false;
    for (size_t i = 0; i < o.taken.size(); i++)
      if (!on_stack[i].isNone()) {
        const Tensor &x = on_stack[i].toTensor();
        has_gradients |= x.requires_grad();
        has_tangents |= x._fw_grad(0).defined();
      }
    has_gradients &= at::GradMode::is_enabled();
    std::vector<IValue> given;
    if (has_tangents)
      given.assign(on_stack.begin(), on_stack.end());
    NodePointer node;
    if (has_gradients)
      node = derivative(on_stack);
    {
      at::AutoDispatchBelowADInplaceOrView below;
      op.redispatchBoxed(keys & c10::after_ADInplaceOrView_keyset, stack);
    }
    const auto results = torch::jit::last(*stack, o.results.size());
    if (node)
      for (size_t i = 0; i < results.size(); i++)
        if (o.function->parameters[o.results[i]].is_active)
          torch::autograd::set_history(results[i].toTensor(), node);
    if (has_tangents)
      set_tangents(given, results);
  }

  NodePointer derivative(c10::ArrayRef<IValue> given) const {
    NodePointer node = made_node<NodePointer>(o);
    auto &made = static_cast<Derivative &>(*node);
    torch::autograd::edge_list edges;
    for (size_t i = 0; i < o.taken.size(); i++) {
      const Tensor x = given[i].isNone() ? Tensor() : given[i].toTensor();
      const bool is_active = i >= o.groups[0].size() || o.function->parameters[o.taken[i]].is_active;
      made.saved.emplace_back(x, false);
      edges.push_back(
          x.defined() && is_active ? torch::autograd::impl::gradient_edge(x) : torch::autograd::Edge());
    }
    made.passed.assign(given.begin() + o.taken.size(), given.end());
    node->set_next_edges(std::move(edges));
    return node;
  }

  void set_tangents(c10::ArrayRef<IValue> given, c10::ArrayRef<IValue> results) const {
    std::vector<IValue> primals, tangents;
    for (auto &x : given.slice(0, o.taken.size())) {
      primals.push_back(x.isNone() ? x : IValue(x.toTensor()._fw_primal(0)));
      tangents.push_back(x.isNone() ? x : or_none(x.toTensor()._fw_grad(0)));
    }
    const auto passed = given.slice(o.taken.size());
    const Groups values = by_groups(o, primals), changes = by_groups(o, tangents);
    variable_list total;
    const auto add = [&](variable_list found) {
      for (size_t i = 0; i < total.size(); i++)
        found[i] = total[i].add(found[i]);
      total = std::move(found);
    };
    for (size_t g = 1; g < values.size(); g++)
      if (any_given(changes[g])) {
        Groups behind(values.begin() + 1, values.end());
        behind[g - 1] = changes[g];
        add(call(o, joined(values[0], behind, passed)));
      }
    const auto direction = of_active(o, o.groups[0], changes[0]);
    if (any_given(direction))
      add(follow(o, o.by_input, values, direction, passed));
    for (size_t i = 0, k = 0; i < results.size() && !total.empty(); i++)
      if (o.function->parameters[o.results[i]].is_active)
        results[i].toTensor()._set_fw_grad(total[k++], 0, false);
  }
};

torch::Library &kernels() {
  static torch::Library library(torch::Library::IMPL, "enzyme_cc", std::nullopt, __FILE__, __LINE__);
  return library;
}

template <class Kernel> void implement(const Operator &o, c10::DispatchKey key) {
  kernels().impl(
      o.name.c_str(),
      torch::dispatch(key, torch::CppFunction::makeFromBoxedFunctor(std::make_unique<Kernel>(o))));
}

void read_parameters(Reader &from, Function &f) {
  f.is_fortran = from.next();
  f.parameters.resize(from.next());
  for (auto &p : f.parameters) {
    p.type = at::ScalarType(from.next());
    p.is_active = from.next();
    p.is_cleared = from.next();
    p.axes.resize(from.next());
    for (auto &axis : p.axes) {
      axis.steps.resize(from.next());
      for (auto &step : axis.steps) {
        step.first = from.next();
        step.second = from.next();
      }
    }
  }
  f.limits.resize(from.next());
  for (auto &limit : f.limits) {
    limit.first = from.next();
    limit.second = from.next();
  }
  f.solutions.resize(from.next());
  for (auto &solution : f.solutions) {
    solution.size = from.next();
    solution.input = from.next();
    solution.axis = from.next();
  }
  f.passed = from.list();
}

void read_operator(Reader &from, Operator &o) {
  o.groups.resize(from.next());
  for (auto &group : o.groups) {
    group = from.list();
    o.taken.insert(o.taken.end(), group.begin(), group.end());
  }
  o.results = from.list();
  o.slots = from.list();
  o.by_input = from.rule();
  for (size_t g = 0; g < o.groups.size(); g++)
    o.backward.push_back(from.rule());
}
} // namespace

/* Adds a function and returns its number. `names` are its name and those of its operators, which have schemas. */
extern "C" int64_t enzyme_cc_torch_add(const int64_t *description, const char *const *names, int64_t count) {
  auto f = std::make_unique<Function>();
  Reader from{description};
  f->number = functions.size();
  f->name = names[0];
  read_parameters(from, *f);
  for (int64_t kind = 0; kind < count; kind++) {
    auto o = std::make_unique<Operator>();
    o->function = f.get();
    o->kind = kind;
    o->name = names[1 + kind];
    o->handle = c10::Dispatcher::singleton().findSchemaOrThrow(("enzyme_cc::" + o->name).c_str(), "");
    read_operator(from, *o);
    implement<CPUKernel>(*o, c10::DispatchKey::CPU);
    if (count > 1)
      implement<AutogradKernel>(*o, c10::DispatchKey::Autograd);
    else
      kernels().impl(
          o->name.c_str(), torch::dispatch(c10::DispatchKey::Autograd, torch::CppFunction::makeFallthrough()));
    f->operators.push_back(std::move(o));
  }
  functions.push_back(std::move(f));
  return functions.size() - 1;
}

/* Says where the entry point of an operator is. */
extern "C" void enzyme_cc_torch_built(int64_t function, int64_t kind, void *entry, void *message) {
  Operator &o = *functions[function]->operators[kind];
  o.message = reinterpret_cast<const char *(*)()>(message);
  o.entry = reinterpret_cast<EntryPoint>(entry);
}
