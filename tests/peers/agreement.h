// How far two sets of answers are apart, each quantity on its own scale.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "peers/peer_file.h"

namespace rigor {

/// Largest difference in each quantity, relative.
using Differences = std::map<std::string, double>;

/// What a difference is measured against. Mostly the largest entry of the quantity. Where a quantity may vanish by
/// itself (one slide has no Coriolis force, a body on its axis no J̇v), that says nothing about the rounding on the way
/// to it; then the largest of the terms that were added up.
inline double scaleOf(const std::string& name, const Answers& peer, const Eigen::VectorXd& v) {
  const auto largest = [&](const std::string& other) { return peer.at(other).cwiseAbs().maxCoeff(); };
  const double own = largest(name);
  if (name == "bias" || name == "potential") return std::max(own, largest("gravity"));
  if (name == "com") return std::max(own, largest("poses"));
  if (name == "linear_momentum" || name == "angular_momentum")
    return std::max(largest("linear_momentum"), largest("angular_momentum"));
  if (name == "jacobian_rates") {  // products of two velocities and a lever arm
    const double speed = v.cwiseAbs().maxCoeff();
    return largest("jacobians") * speed * speed;
  }
  if (name.starts_with("rnea_")) return std::max({own, largest("bias"), largest("gravity")});
  if (name.starts_with("aba_")) return std::max(own, largest("acceleration"));
  if (name.starts_with("spring_")) return std::max(own, 1.0);  // a tree may have no spring
  return own;
}

/// Keeps the worse of what is there and how far `answers` are from those of a peer.
inline void addDifferences(const Answers& answers, const Answers& peer, const Eigen::VectorXd& v, Differences& worst) {
  for (const auto& [name, values] : peer) {
    const double difference = (answers.at(name) - values).cwiseAbs().maxCoeff() / scaleOf(name, peer, v);
    if (!answers.at(name).allFinite() || !(difference <= worst[name])) worst[name] = difference;  // NaN stays
  }
}

}  // namespace rigor
