#include "rigor/tight_spring_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigor/simulator.h"
#include "simulation/swing_across.h"

namespace rigor {
struct TightSpringWatch::Data {
  struct Tightness {
    double time = -1.0;  ///< [s] of the first step that was too long; −1: none
    double most = 0.0;   ///< largest h² k x/d W
  };

  explicit Data(const Scene& scene)
      : model(scene.model), swing(model), step_squared(scene.dt * scene.dt), dt(scene.dt), of(swing.groups().size()) {}

  void look(double time) {
    constexpr double kGrown = 1.1;  // the step that is named has one digit
    for (int i = 0; i < static_cast<int>(of.size()); ++i) {
      Tightness& tight = of[i];
      const double limit = std::max(1.0, kGrown * tight.most) / step_squared;
      const double share = step_squared * swing.eigenvalueAbove(limit, i);
      if (!(share > 1.0)) continue;
      if (tight.time < 0.0) tight.time = time;
      tight.most = std::max(tight.most, share);
    }
  }

  Model model;
  SwingAcross swing;
  double step_squared, dt;
  std::vector<Tightness> of;  ///< [groups]
  Eigen::VectorXd q;          ///< [nq] where it looked last
};

TightSpringWatch::TightSpringWatch() = default;
TightSpringWatch::~TightSpringWatch() = default;

void TightSpringWatch::begin(const Simulator& simulator, std::int64_t /*steps*/) {
  data_ = std::make_unique<Data>(simulator.scene());
}

void TightSpringWatch::see(const Simulator& simulator, const RunStep& step) {
  Data& d = *data_;
  const State& state = simulator.state();
  if (d.of.empty() || !step.report.accepted() || (d.q.size() > 0 && state.q == d.q)) return;
  d.q = state.q;
  d.swing.moveTo(d.q);
  d.look(state.time);
}

std::vector<Warning> TightSpringWatch::warnings() const {
  std::vector<Warning> warnings;
  for (std::size_t i = 0; data_ && i < data_->of.size(); ++i) {
    const Data::Tightness& tight = data_->of[i];
    if (tight.time < 0.0) continue;
    const std::vector<int>& springs = data_->swing.groups()[i].springs;
    const SpringSpec& spring = data_->model.springs()[springs[0]];
    Place where = spring.where;
    if (where.element.empty()) where.element = fmt::format("spring \"{}\"", spring.name);
    const std::string others =
        springs.size() == 1 ? "it is" : fmt::format("with {} more between the same bodies it is", springs.size() - 1);
    warnings.push_back(
        {where,
         fmt::format("{} about {:.2g} times as stiff across its line as steps of {:g} s can follow, first at {:g} s, "
                     "which may add energy. Take steps of {:.1g} s, or tie the points with a [[loop]] of kind "
                     "\"connect\"",
                     others, tight.most, data_->dt, tight.time, 0.25 * data_->dt / std::sqrt(tight.most))});
  }
  return warnings;
}

}  // namespace rigor
