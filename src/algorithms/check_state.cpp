// What a user may get wrong in a state, found in one place.
#include <fmt/format.h>

#include <cmath>

#include "algorithms/workspace.h"

namespace rigor {
namespace {

/// False for NaN and infinity; a sum of zeros needs no branch per number.
bool isFinite(VectorIn x) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < x.size(); ++i) sum += x[i] * 0.0;
  return sum == 0.0;
}

/// "19 = 7 of the free base + 12 of 12 joints".
std::string explainSize(const Topology& topology, bool positions) {
  int bases = 0, joints = 0, in_joints = 0;
  for (int link = 0; link < topology.links; ++link) {
    const JointType type = topology.joint[link];
    const bool is_base = type == kFree;
    is_base ? ++bases : ++joints;
    if (!is_base) in_joints += positions ? positionCount(type) : velocityCount(type);
  }
  const int each = positions ? 7 : 6, total = positions ? topology.nq : topology.nv;
  std::string parts;
  if (bases == 1) parts = fmt::format("{} of the free base", each);
  if (bases > 1) parts = fmt::format("{} of {} free bodies", each * bases, bases);
  if (joints > 0)
    parts += fmt::format("{}{} of {} joint{}", parts.empty() ? "" : " + ", in_joints, joints, joints == 1 ? "" : "s");
  return parts.empty() ? fmt::format("{}", total) : fmt::format("{} = {}", total, parts);
}

/// The joint that owns an entry of q or v, for messages.
std::string nameEntry(const Model& model, int entry, bool positions) {
  for (const ModelJoint& joint : model.joints()) {
    const int first = positions ? joint.q_index : joint.v_index;
    const int size = positions ? positionCount(joint.spec.type) : velocityCount(joint.spec.type);
    if (entry >= first && entry < first + size)
      return joint.spec.name.empty() ? fmt::format("a joint of body \"{}\"", model.body(joint.body).name)
                                     : fmt::format("joint \"{}\"", joint.spec.name);
  }
  return "a joint";
}

void checkArray(const Model& model, VectorIn x, const char* name, bool positions) {
  const Topology& topology = model.topology();
  const int expected = positions ? topology.nq : topology.nv;
  if (x.size() != expected)
    throw Error(fmt::format("{} has {} numbers, expected {}", name, x.size(), explainSize(topology, positions)),
                positions ? "Order: joints as in the model; a free body has position and quaternion w, x, y, z."
                          : "Order: joints as in the model; a free body has linear velocity (world axes) and angular "
                            "velocity (body axes).");
  if (isFinite(x)) return;
  for (int i = 0; i < expected; ++i)
    if (!std::isfinite(x[i]))
      throw Error(fmt::format("{}[{}] of {} is {}", name, i, nameEntry(model, i, positions), x[i]),
                  "Every number of a state must be finite.");
}

void checkQuaternions(const Model& model, VectorIn q) {
  constexpr double kTolerance = 1e-6;  // far above rounding, far below what a wrong order of entries gives
  const Topology& topology = model.topology();
  for (int link = 0; link < topology.links; ++link) {
    if (topology.joint[link].rotation != Rotation::kAll) continue;
    const int first = topology.q_index[link] + positionCount(topology.joint[link]) - 4;
    const double length = q.segment<4>(first).norm();
    if (std::abs(length - 1.0) > kTolerance)
      throw Error(fmt::format("the quaternion q[{}…{}] of {} has length {:.9g}", first, first + 3,
                              nameEntry(model, first, true), length),
                  "Normalise it; the order is w, x, y, z.");
  }
}

}  // namespace

void checkState(const Model& model, VectorIn q) {
  checkArray(model, q, "q", true);
  checkQuaternions(model, q);
}

void checkState(const Model& model, VectorIn q, VectorIn v) {
  checkState(model, q);
  checkArray(model, v, "v", false);
}

void checkForces(const Model& model, VectorIn tau) { checkArray(model, tau, "tau", false); }

void checkVelocityLike(const Model& model, VectorIn x, const char* name) { checkArray(model, x, name, false); }

void checkBody(const Model& model, int body) {
  if (body < 0 || body >= model.bodyCount())
    throw Error(fmt::format("there is no body {}, the model has {}", body, model.bodyCount()), "Use Model::findBody.");
}

Workspace& enter(const Model& model, Data& data, VectorIn q) {
  Workspace& work = data.workspace();
  if (&work.model.topology() != &model.topology())
    throw Error("this Data was made for another model", "Make one Data per model: Data data(model).");
  checkState(model, q);
  return work;
}

Workspace& enter(const Model& model, Data& data, VectorIn q, VectorIn v) {
  Workspace& work = enter(model, data, q);
  checkArray(model, v, "v", false);
  return work;
}

}  // namespace rigor
