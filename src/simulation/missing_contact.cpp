#include "rigor/missing_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>

#include "dynamics/poses.h"
#include "geometry/separation.h"

namespace rigor {
namespace {

/// No point of the shape moves farther on a straight way with a turn about its frame.
double wayOf(const Shape& shape, const Pose& from, const Pose& to) {
  const double angle = from.rotation.normalized().angularDistance(to.rotation.normalized());
  return (to.position - from.position).norm() + angle * boundingRadius(shape);
}

Pose inverse(const Pose& pose) {
  const Eigen::Quaterniond back = pose.rotation.normalized().conjugate();
  return {-(back * pose.position), back};
}

/// How much nearer two shapes can have come: the sum of their ways, or the way of one seen from the other, which is short
/// where both move together.
double approach(const Shape& a, const Pose& a_from, const Pose& a_to, const Shape& b, const Pose& b_from,
                const Pose& b_to) {
  const double apart = wayOf(a, a_from, a_to) + wayOf(b, b_from, b_to);
  const double a_seen_from_b = wayOf(a, inverse(b_from) * a_from, inverse(b_to) * a_to);
  const double b_seen_from_a = wayOf(b, inverse(a_from) * b_from, inverse(a_to) * b_to);
  return std::min({apart, a_seen_from_b, b_seen_from_a});
}

std::string plural(int count, const char* what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }

}  // namespace

MissingContact::MissingContact(const Model& model) : model_(model) {
  for (const auto& [first, second] : model.missingPairs()) apart_.push_back({first, second, 0.0});
}

void MissingContact::see(double time, const Eigen::VectorXd& q) {
  if (apart_.empty()) return;
  assert(q.size() == model_.nq() && "a pose of the model that was given");
  const std::vector<ModelShape>& shapes = model_.shapes();
  const std::vector<Pose> bodies = bodyPoses(model_, q);
  std::swap(poses_, before_);
  poses_.resize(shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i)
    poses_[i] = shapes[i].body == kWorld ? shapes[i].X_BS : bodies[shapes[i].body] * shapes[i].X_BS;
  const std::vector<Pose>& from = before_.empty() ? poses_ : before_;

  std::erase_if(apart_, [&](Pair& pair) {
    const int a = pair.shape_1, b = pair.shape_2;
    pair.reserve -= approach(shapes[a].shape, from[a], poses_[a], shapes[b].shape, from[b], poses_[b]);
    if (pair.reserve > 0.0) return false;
    // The old proof covers the first part of the way, the new one the last: together they must cover all of it.
    const double proven = provenDistance(shapes[a].shape, poses_[a], shapes[b].shape, poses_[b]);
    const bool met = !(proven + pair.reserve > 0.0);
    if (met) ignored_.push_back({a, b, time});
    pair.reserve = proven;
    return met;
  });
}

void MissingContact::restart(double time, const Eigen::VectorXd& q) {
  poses_.clear();
  for (Pair& pair : apart_) pair.reserve = 0.0;
  see(time, q);
}

std::string MissingContact::text() const {
  std::string text;
  if (pairs() > 0) {
    const auto name = [&](int shape) {
      const ModelShape& s = model_.shapes()[shape];
      return s.name.empty() && s.body != kWorld ? model_.body(s.body).name : s.name;
    };
    const Ignored& first = ignored_.front();
    text = fmt::format("{} without contact code came together, the first \"{}\" and \"{}\" at {:.4g} s",
                       plural(pairs(), "pair"), name(first.shape_1), name(first.shape_2), first.time);
  }
  if (shapes() > 0) {
    std::map<std::string, int> kinds;
    for (const MissingShape& shape : model_.missingShapes()) ++kinds[shape.kind];
    std::string list;
    for (const auto& [kind, count] : kinds) list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", kind, count);
    text += fmt::format("{}{} left out: {}", text.empty() ? "" : "; ", plural(shapes(), "shape"), list);
  }
  return text;
}

}  // namespace rigor
