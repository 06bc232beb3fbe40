#include "rigor/half_turn_watch.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "dynamics/kinematics.h"
#include "model/parameters.h"
#include "rigor/simulator.h"
#include "stepping/freedom_coordinate.h"

namespace rigor {
struct HalfTurnWatch::Data {
  /// An angle, or the rotation vector of a ball, of one loop.
  struct Turning {
    int first, count;  ///< of the spring parts
    int loop;
    bool motor = false;  ///< it drives, and does not spring
    std::int64_t passed = 0;
    double time = 0.0;    ///< [s] the first time
    double energy = 0.0;  ///< [J] most that a step over the jump may change
  };

  static std::vector<Turning> listTurnings(const std::vector<SpringPart>& parts) {
    std::vector<Turning> turnings;
    for (int i = 0; i < static_cast<int>(parts.size()); ++i) {
      const SpringPart& part = parts[i];
      if (!(part.stiffness > 0.0)) continue;
      if (part.along == SpringAlong::kAngle && part.pitch == 0.0) turnings.push_back({i, 1, part.loop});
      if (part.along == SpringAlong::kTurn && part.entry == 0) turnings.push_back({i, 3, part.loop});
    }
    return turnings;
  }

  explicit Data(const Scene& scene) : model(scene.model), parts(makeSpringParts(model)), turnings(listTurnings(parts)) {
    for (const LoopFreedom& freedom : makeLoopFreedoms(model)) {
      if (!freedom.wraps() || freedom.limited || !(freedom.motor.kp > 0.0))
        continue;  // stops lie less than a turn apart
      turnings.push_back({static_cast<int>(parts.size()), 1, freedom.loop, true});
      parts.push_back(freedom.along);
    }
    kin.resize(model.topology());
  }

  /// How far the spring of a turning is stretched [rad], padded with zeros.
  Eigen::Vector3d stretchOf(const Turning& turning) const {
    Eigen::Vector3d x = Eigen::Vector3d::Zero();
    for (int k = 0; k < turning.count; ++k)
      x[k] = computeStretch(parts[turning.first + k], model.topology(), kin).spring.value;
    return x;
  }
  void place(const Eigen::VectorXd& q) { computeKinematics(model.topology(), model.parameters(), q.data(), kin); }

  Model model;
  std::vector<SpringPart> parts;
  std::vector<Turning> turnings;
  Kinematics<double> kin;
  std::vector<Eigen::Vector3d> before;
};

HalfTurnWatch::HalfTurnWatch() = default;
HalfTurnWatch::~HalfTurnWatch() = default;

void HalfTurnWatch::begin(const Simulator& simulator, std::int64_t /*steps*/) {
  data_ = std::make_unique<Data>(simulator.scene());
  data_->before.resize(data_->turnings.size());
}

void HalfTurnWatch::see(const Simulator& simulator, const RunStep& step) {
  Data& d = *data_;
  const State& state = simulator.state();
  if (d.turnings.empty() || !step.report.accepted() || simulator.isFresh()) return;
  d.place(step.q_start);
  for (std::size_t i = 0; i < d.turnings.size(); ++i) d.before[i] = d.stretchOf(d.turnings[i]);
  d.place(state.q);
  for (std::size_t i = 0; i < d.turnings.size(); ++i) {
    Data::Turning& turning = d.turnings[i];
    const Eigen::Vector3d &from = d.before[i], to = d.stretchOf(turning);
    if ((to - from).norm() <= std::numbers::pi) continue;
    if (turning.passed++ == 0) turning.time = state.time;
    // the same turn counted from the other side: the way of the step
    const double way = (to - from + 2.0 * std::numbers::pi * from.normalized()).norm();
    turning.energy = std::max(turning.energy, std::numbers::pi * d.parts[turning.first].stiffness * way);
  }
}

std::vector<Warning> HalfTurnWatch::warnings() const {
  std::vector<Warning> warnings;
  if (!data_) return warnings;
  for (const Data::Turning& turning : data_->turnings) {
    if (turning.passed == 0) continue;
    const LoopSpec& loop = data_->model.loops()[turning.loop];
    Place where = loop.where;
    if (where.element.empty()) where.element = fmt::format("loop \"{}\"", loop.name);
    const std::string times = turning.passed == 1 ? "once" : fmt::format("{} times", turning.passed);
    if (turning.motor) {
      warnings.push_back(
          {where,
           fmt::format("its motor was half a turn from its target {}, first before {:g} s: it knows no more turns, "
                       "so it pushed the other way from there. Give it a range, or make it a [[joint]], which "
                       "counts turns",
                       times, turning.time)});
      continue;
    }
    warnings.push_back(
        {where, fmt::format(
                    "its spring passed half a turn {}, first before {:g} s: it knows no more turns, so its torque "
                    "turned round there, which may change the energy by {:.2g} J each time. Make it a [[joint]], which "
                    "counts turns, or take shorter steps",
                    times, turning.time, turning.energy)});
  }
  return warnings;
}

}  // namespace rigor
