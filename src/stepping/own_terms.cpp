#include "stepping/own_terms.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "dynamics/jacobian.h"
#include "geometry/convert.h"
#include "rigor/state.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr int kShift = 0, kTurn = 3, kPerBody = 6;  // directions of a PoseNumber

/// The pose of a frame whose shift and turn are the directions from `first` on; the world has none.
OwnPose makePose(const LoopEnd& end, bool moves, int first) {
  const auto turned = [&](const Vec& axis) {
    PoseVector out(toEigen(axis));
    if (!moves) return out;
    const Vec units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; ++k) {
      const Vec change = cross(units[k], axis);  // d/dθ exp(θ) axis
      out.x.tangent[first + kTurn + k] = change.x;
      out.y.tangent[first + kTurn + k] = change.y;
      out.z.tangent[first + kTurn + k] = change.z;
    }
    return out;
  };
  OwnPose pose;
  pose.position = PoseVector(toEigen(end.origin + end.X_OF.p));
  if (moves) {
    pose.position.x.tangent[first + kShift] = 1.0;
    pose.position.y.tangent[first + kShift + 1] = 1.0;
    pose.position.z.tangent[first + kShift + 2] = 1.0;
  }
  pose.axis_x = turned(end.X_OF.R.x), pose.axis_y = turned(end.X_OF.R.y), pose.axis_z = turned(end.X_OF.R.z);
  return pose;
}

Vec directionsOf(const PoseNumber& number, int first) {
  return {number.tangent[first], number.tangent[first + 1], number.tangent[first + 2]};
}

/// ∂/∂(shift, turn) of a body as a force on its link, about O.
Force<double> gradientOf(const PoseNumber& number, const LoopEnd& end, int first) {
  return forceAt(end.X_OF.p, directionsOf(number, first + kShift), directionsOf(number, first + kTurn));
}

bool isFinite(const PoseNumber& number) {
  double sum = number.value;
  for (const double slope : number.tangent) sum += slope * 0.0;
  return std::isfinite(sum);
}

/// To how much a number is known that comes from positions and axes that are known to their roundings.
double sizeOf(const PoseNumber& number, const LoopEnd& end, int first) {
  const double place = absoluteSum(end.origin) + absoluteSum(end.X_OF.p);
  return place * norm(directionsOf(number, first + kShift)) + absoluteSum(directionsOf(number, first + kTurn));
}

struct Poses {
  OwnPose body_1, body_2;
};
Poses makePoses(int link_1, const LoopEnd& end_1, int link_2, const LoopEnd& end_2) {
  return {makePose(end_1, link_1 != kWorld, 0), makePose(end_2, link_2 != kWorld, kPerBody)};
}

Kinematics<double> placeLinks(const Model& model, const Eigen::VectorXd& q) {
  Kinematics<double> kin;
  kin.resize(model.topology());
  computeKinematics(model.topology(), model.parameters(), q.data(), kin);
  return kin;
}

std::string elementOf(const char* kind, const std::string& name) { return fmt::format("{} \"{}\"", kind, name); }

/// Names, functions and bodies.
template <class Term>
AttachedFrames checkTerm(const Model& model, const char* kind, const Term& term, bool has_function,
                         std::set<std::string>& names) {
  if (term.name.empty())
    throw Error(fmt::format("an own {} has no name", kind), "Name it: messages and recordings call it so.");
  const Place where{"", 0, elementOf(kind, term.name)};
  if (!names.insert(term.name).second) throw Error(where, "another own term has this name", "Rename one of them.");
  if (!has_function)
    throw Error(where, "has no function", "Give it one of the poses of its two bodies (rigor/own_terms.h).");
  for (const int body : {term.body_1, term.body_2})
    if (body < kWorld || body >= model.bodyCount())
      throw Error(where, fmt::format("body {} does not exist, the model has {}", body, model.bodyCount()),
                  "Ask Model::findBody, which says -2 for a name that no body has; the world is kWorld.");
  std::vector<BodySpec> bodies;
  for (int body = 0; body < model.bodyCount(); ++body) bodies.push_back(model.body(body));
  checkEnds(term.body_1, term.body_2, where, kind, bodies);
  checkEndLinks(term.body_1, term.body_2, where, kind, bodies, model.placements());
  return attachFrames(term.body_1, {}, term.body_2, {}, model.placements());
}

void addConstraint(const Model& model, const OwnConstraint& term, int index, const AttachedFrames& frames,
                   const Kinematics<double>& kin, std::vector<LoopPart>& parts) {
  LoopPart part;
  part.rows = LoopRows::kOwn;
  part.loop = index;
  part.link_1 = frames.link_1, part.link_2 = frames.link_2;
  part.X_1 = frames.X_1, part.X_2 = frames.X_2;
  part.own = std::make_shared<const OwnConstraint>(term);
  const Poses poses = makePoses(part.link_1, findEnd(part.link_1, part.X_1, model.topology(), kin), part.link_2,
                                findEnd(part.link_2, part.X_2, model.topology(), kin));
  part.of = term.opening(poses.body_1, poses.body_2).count;
  if (part.of < 1 || part.of > kMostRows)
    throw Error({"", 0, elementOf("constraint", term.name)},
                fmt::format("its function gives {} numbers, not 1 to {}", part.of, kMostRows),
                "Two bodies have six freedoms against each other; write more conditions as a second constraint.");
  for (part.first = 0; part.first < part.of; part.first += part.count(), ++part.number) parts.push_back(part);
}

}  // namespace

PotentialAt computePotential(const PotentialPart& part, const Topology& topology, const Kinematics<double>& kin) {
  const AttachedFrames& frames = part.frames;
  const LoopEnd end_1 = findEnd(frames.link_1, frames.X_1, topology, kin);
  const LoopEnd end_2 = findEnd(frames.link_2, frames.X_2, topology, kin);
  const Poses poses = makePoses(frames.link_1, end_1, frames.link_2, end_2);
  const PoseNumber V = part.term->energy(poses.body_1, poses.body_2);
  return {V.value, {gradientOf(V, end_2, kPerBody), gradientOf(V, end_1, 0)}, isFinite(V)};
}

void openOwn(const LoopPart& part, const LoopEnd& end_1, const LoopEnd& end_2, LoopOpening& out) {
  const Poses poses = makePoses(part.link_1, end_1, part.link_2, end_2);
  const OwnValues g = part.own->opening(poses.body_1, poses.body_2);
  out.finite = g.count == part.of;
  for (int r = 0; r < part.count(); ++r) {
    const PoseNumber& number = g.numbers[part.first + r];
    out.finite = out.finite && isFinite(number);
    out.g[r] = number.value;
    out.F[0][r] = gradientOf(number, end_2, kPerBody);
    out.F[1][r] = gradientOf(number, end_1, 0);
    out.size = std::max(out.size, sizeOf(number, end_1, 0) + sizeOf(number, end_2, kPerBody));
  }
}

int OwnTerms::count() const {
  return static_cast<int>(potentials.size()) + (constraints.empty() ? 0 : constraints.back().loop + 1);
}

OwnTerms makeOwnTerms(const Model& model, const std::vector<OwnPotential>& potentials,
                      const std::vector<OwnConstraint>& constraints, const Eigen::VectorXd& q) {
  OwnTerms terms;
  if (potentials.empty() && constraints.empty()) return terms;
  const Kinematics<double> kin = placeLinks(model, q);
  std::set<std::string> names;
  for (const OwnPotential& term : potentials)
    terms.potentials.push_back({std::make_shared<const OwnPotential>(term),
                                checkTerm(model, "potential", term, static_cast<bool>(term.energy), names)});
  for (int i = 0; i < static_cast<int>(constraints.size()); ++i) {
    const OwnConstraint& term = constraints[i];
    const AttachedFrames frames = checkTerm(model, "constraint", term, static_cast<bool>(term.opening), names);
    addConstraint(model, term, i, frames, kin, terms.constraints);
  }
  return terms;
}

void refuseNotFinite(const Model& model, const OwnTerms& terms, bool with_potentials, const Eigen::VectorXd& q) {
  const Kinematics<double> kin = placeLinks(model, q);
  const auto refuse = [](const char* kind, const std::string& name) {
    throw Error({"", 0, elementOf(kind, name)}, "is not finite where the run begins, or its derivative is not",
                "Look for a division by zero, a logarithm or a root at the edge of where they are defined.");
  };
  for (const LoopPart& part : terms.constraints)
    if (!computeOpening(part, model.topology(), kin, q.data()).finite) refuse("constraint", part.own->name);
  for (const PotentialPart& part : terms.potentials)
    if (with_potentials && !computePotential(part, model.topology(), kin).finite) refuse("potential", part.term->name);
}

void refuseWithoutSlope(const Model& model, const OwnTerms& terms, const Eigen::VectorXd& q) {
  constexpr double kNoSlope = 1e-9;  // of metres by metres, or radians
  const Kinematics<double> kin = placeLinks(model, q);
  for (const LoopPart& part : terms.constraints) {
    const LoopOpening opening = computeOpening(part, model.topology(), kin, q.data());
    for (int r = 0; r < part.count(); ++r) {
      double slope = 0.0;
      for (const int side : {0, 1})
        slope += absoluteSum(opening.F[side][r].linear) + absoluteSum(opening.F[side][r].angular);
      if (slope > kNoSlope) continue;
      throw Error({"", 0, elementOf("constraint", part.own->name)},
                  fmt::format("number {} of {} has no slope where it is zero: nothing could hold it",
                              part.first + r + 1, part.of),
                  "Write d - L, not its square; leave out what does not depend on the bodies.");
    }
  }
}

std::string describeNotFinite(const char* kind, const std::string& name) {
  return fmt::format("{} \"{}\" is not finite, or its derivative is not, or it gives another number of values", kind,
                     name);
}

}  // namespace rigor
