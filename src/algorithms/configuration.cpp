// Public functions on configurations: neutral, integrate, difference.
#include <fmt/format.h>

#include "algorithms/workspace.h"
#include "dynamics/integrate.h"

namespace rigor {
namespace {

void checkOutput(Eigen::Index size, int expected, const char* name) {
  if (size != expected)
    throw Error(fmt::format("the output {} has {} numbers, expected {}", name, size, expected),
                "Size it before the call.");
}

}  // namespace

Eigen::VectorXd neutral(const Model& model) {
  const Topology& topology = model.topology();
  Eigen::VectorXd q = Eigen::VectorXd::Zero(topology.nq);
  for (int link = 0; link < topology.links; ++link)
    if (topology.joint[link].rotation == Rotation::kAll)
      q[topology.q_index[link] + positionCount(topology.joint[link]) - 4] = 1.0;
  return q;
}

void integrate(const Model& model, VectorIn q, VectorIn v, Eigen::Ref<Eigen::VectorXd> next) {
  checkState(model, q, v);
  checkOutput(next.size(), model.nq(), "next");
  integrate(model.topology(), q.data(), v.data(), 1.0, next.data());
}

Eigen::VectorXd integrate(const Model& model, VectorIn q, VectorIn v) {
  Eigen::VectorXd next(model.nq());
  integrate(model, q, v, next);
  return next;
}

void difference(const Model& model, VectorIn from, VectorIn to, Eigen::Ref<Eigen::VectorXd> v) {
  checkState(model, from);
  checkState(model, to);
  checkOutput(v.size(), model.nv(), "v");
  difference(model.topology(), from.data(), to.data(), v.data());
}

Eigen::VectorXd difference(const Model& model, VectorIn from, VectorIn to) {
  Eigen::VectorXd v(model.nv());
  difference(model, from, to, v);
  return v;
}

}  // namespace rigor
