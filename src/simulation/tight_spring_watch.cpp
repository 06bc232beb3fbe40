#include "rigor/tight_spring_watch.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "rigor/algorithms.h"
#include "rigor/simulator.h"

namespace rigor {
struct TightSpringWatch::Data {
  struct Tightness {
    double time = -1.0;  ///< [s] of the first step that was too long; −1: none
    double most = 0.0;   ///< largest h² k x/d W
  };

  explicit Data(const Scene& scene) : model(scene.model), algorithms(model), dt(scene.dt), of(model.springs().size()) {}

  /// k x/d of a spring at a pose, what pulls it back across its line [N/m]; and that line, from body 2 to body 1.
  double pullAcross(const SpringSpec& spring, const Eigen::VectorXd& q, Eigen::Vector3d& line) {
    const auto place = [&](int body, const Eigen::Vector3d& point) -> Eigen::Vector3d {
      return body == kWorld ? point : framePlacement(model, algorithms, q, body) * point;
    };
    line = place(spring.body_1, spring.point_1) - place(spring.body_2, spring.point_2);
    const double distance = line.norm();
    return distance > spring.length ? spring.stiffness * (1.0 - spring.length / distance) : 0.0;
  }

  /// Largest J M⁻¹ Jᵀ of the points against each other across the line [1/kg].
  double mobilityAcross(const SpringSpec& spring, const Eigen::VectorXd& q, const Eigen::Vector3d& line) {
    Eigen::Matrix3Xd J = Eigen::Matrix3Xd::Zero(3, model.nv());
    const auto add = [&](int body, const Eigen::Vector3d& point, double sign) {
      if (body != kWorld && !model.body(body).kinematic)
        J += sign * getFrameJacobian(model, algorithms, q, body, point).topRows<3>();
    };
    add(spring.body_1, spring.point_1, 1.0);
    add(spring.body_2, spring.point_2, -1.0);
    const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - line * line.transpose() / line.squaredNorm();
    const Eigen::Matrix3d W = across * J * computeMinverse(model, algorithms, q) * J.transpose() * across;
    return W.selfadjointView<Eigen::Lower>().eigenvalues().maxCoeff();
  }

  Model model;
  rigor::Data algorithms;
  double dt;
  std::vector<Tightness> of;  ///< [springs]
};

TightSpringWatch::TightSpringWatch() = default;
TightSpringWatch::~TightSpringWatch() = default;

void TightSpringWatch::begin(const Simulator& simulator, std::int64_t /*steps*/) {
  data_ = std::make_unique<Data>(simulator.scene());
}

void TightSpringWatch::see(const Simulator& simulator, const RunStep& step) {
  Data& d = *data_;
  if (!step.report.accepted()) return;
  const Eigen::VectorXd& q = simulator.state().q;
  for (std::size_t i = 0; i < d.of.size(); ++i) {
    const SpringSpec& spring = d.model.springs()[i];
    Eigen::Vector3d line;
    const double pull = d.pullAcross(spring, q, line);
    if (pull == 0.0) continue;
    const double share = d.dt * d.dt * pull * d.mobilityAcross(spring, q, line);
    if (!(share > 1.0)) continue;
    if (d.of[i].time < 0.0) d.of[i].time = simulator.state().time;
    d.of[i].most = std::max(d.of[i].most, share);
  }
}

std::vector<Warning> TightSpringWatch::warnings() const {
  std::vector<Warning> warnings;
  for (std::size_t i = 0; data_ && i < data_->of.size(); ++i) {
    const Data::Tightness& tight = data_->of[i];
    if (tight.time < 0.0) continue;
    const SpringSpec& spring = data_->model.springs()[i];
    Place where = spring.where;
    if (where.element.empty()) where.element = fmt::format("spring \"{}\"", spring.name);
    warnings.push_back(
        {where, fmt::format("it swings across its line faster than steps of {:g} s can follow, first at {:g} s, which "
                            "may add energy. Take steps of {:.1g} s, or tie the points with a [[loop]] of kind "
                            "\"connect\"",
                            data_->dt, tight.time, 0.25 * data_->dt / std::sqrt(tight.most))});
  }
  return warnings;
}

}  // namespace rigor
