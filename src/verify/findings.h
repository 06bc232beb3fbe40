// Collects what was found: the worst of each kind and the first step that does not hold.
#pragma once

#include <algorithm>

#include "rigor/verify.h"
#include "verify/real.h"

namespace rigor::verify {

class Findings {
 public:
  explicit Findings(Verdict& verdict) : verdict_(verdict) {}

  void atStep(std::int64_t step) { step_ = step; }
  std::int64_t step() const { return step_; }

  /// `value` must not exceed `limit`; NaN does. `describe` returns what was checked and is called only if it is needed.
  template <class Describe>
  void check(Real value, Real limit, double VerifyWorst::* measure, const Describe& describe) {
    if (measure) note(value, limit, measure);
    if (value <= limit || !verdict_.holds) return;
    verdict_.holds = false;
    verdict_.first_bad = {step_, describe(), finite(value), finite(limit)};
  }
  /// Equal up to `limit`.
  template <class Describe>
  void same(Real a, Real b, Real limit, const Describe& describe) {
    check(std::fabs(a - b), limit, nullptr, describe);
  }
  void require(bool truth, const char* what) {
    check(truth ? 0 : 1, 0, nullptr, [&] { return std::string(what); });
  }

 private:
  void note(Real value, Real limit, double VerifyWorst::* measure) {
    double& worst = verdict_.worst.*measure;
    if (!(value <= Real(worst))) worst = finite(value);
    double &nearest = verdict_.nearest.*measure, &limit_there = verdict_.limit.*measure;
    // value / limit is the larger one, also where a limit is 0
    const bool nearer = limit_there < 0 || !(value * Real(limit_there) <= Real(nearest) * limit);
    if (!nearer) return;
    nearest = finite(std::max<Real>(value, 0)), limit_there = finite(limit);
    if (std::isnan(value)) nearest = finite(value);
  }

  /// Numbers of a verdict are printed as JSON, which has no NaN and no infinity.
  static double finite(Real value) {
    const double largest = 1.7976931348623157e308;
    return std::isnan(value) ? largest : static_cast<double>(std::clamp<Real>(value, -largest, largest));
  }

  Verdict& verdict_;
  std::int64_t step_ = 0;
};

}  // namespace rigor::verify
