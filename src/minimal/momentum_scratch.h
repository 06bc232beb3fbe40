// What the judge of momentum adds up, link by link and freedom by freedom.
#pragma once

#include <vector>

#include "minimal/constraints.h"

namespace rigor {

/// 1-norms of a motion or of an impulse about O: what the numbers that were added up measured.
struct SpatialSize {
  double linear = 0.0, angular = 0.0;

  SpatialSize& operator+=(const SpatialSize& more) { return linear += more.linear, angular += more.angular, *this; }
};

struct MomentumScratch {
  std::vector<Force<double>> impulse;  ///< [links] of contacts and loops, about O
  std::vector<SpatialSize> size;       ///< [links] of all impulses of a link, then of its subtree
  std::vector<SpatialSize> reach;      ///< [links] of its velocities before and after
  std::vector<double> change;          ///< [nv] v′ − v
  std::vector<double> sum, balance;    ///< [nv] what the links, and what the joints add to the balance
  std::vector<double> missed;          ///< [nv] the sum of both, of a variational step
  std::vector<double> left;            ///< [nv] its size, as a velocity
  std::vector<double> terms;           ///< [nv] sizes of all that was added
  double whole = 0.0;                  ///< what the judge found with no floor taken off: what rounding excuses is in it
  RneaScratch<double> rnea;

  void resize(const Topology& topology);
};

}  // namespace rigor
