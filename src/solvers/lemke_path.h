// Lemke's method for w = M z + q with bounds on z: the path of solutions of w = M z + q + t d from a large t down to 0.
//
// Along it every row is at a bound with w of the right sign, or inside with w = 0, but for one row where something begins to
// change. What reaches its bound first leaves the basis, what belongs to it enters. The path ends at t = 0, a solution, or on a
// ray, which proves nothing by itself (a bimatrix game may end on one and have three solutions).
//
// Rules that decide whether this works in doubles, RP errata: of several that leave at once t goes first, then the one with the
// largest rate; rates below 1e-9 of the largest are none; a basis that comes again ends the path.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/lemke_basis.h"

namespace rigor {

enum class PathEnd : std::uint8_t { kSolution, kRay, kCycle, kLimit, kSingular };

struct PathLimits {
  int max_pivots = 0;
  const StopFlag* stop = nullptr;
  double tie = 1e-12;  ///< of the largest z: variables that are this near to their bounds leave together
};

class LemkePath {
 public:
  void reserve(int rows, int most_basic);

  /// The basis of these places and nothing else: true if it is regular; z, w tell whether it is a solution.
  bool tryBasis(const LcpForm& form, const std::vector<LcpPlace>& places, const StopFlag* stop);
  /// From what is left of w in the rows of the basis [n], scaled, to the change of z that takes it away. At a basis: after tryBasis, or a
  /// path that ended at a solution. False if it is not finite.
  bool correct(std::vector<double>& left) { return basis_.correct(left); }
  /// z within its bounds and w of the right sign but for this much of the largest z.
  bool obeysSigns(double within) const;
  /// From the basis of these places (empty: all at a bound) with cover number `cover`: all ones, then others.
  PathEnd follow(const LcpForm& form, const std::vector<LcpPlace>& places, int cover, const PathLimits& limits);

  const std::vector<double>& z() const { return best_; }  ///< [n] scaled: the solution, or where t was least
  const std::vector<LcpPlace>& places() const { return basis_.places(); }
  const std::vector<double>& ray() const { return basis_.dz; }  ///< [n + 1] scaled, at the end of a ray
  int pivots() const { return pivots_; }                        ///< of the last path

 private:
  struct Entering {
    int index;
    bool is_w;
    double sign;  // it grows or falls
  };
  struct Leaving {
    enum class Kind : std::uint8_t { kNone, kArtificial, kZ, kW, kItself } kind = Kind::kNone;
    int index = -1;
    double gap = 0.0, rate = 0.0;
    LcpPlace to = LcpPlace::kLower;
  };

  void makeCover(int cover);
  bool settleBoxes(const StopFlag* stop);
  bool enterPath(Entering& entering);
  Entering complementOf(const Leaving& leaving) const;
  Leaving findFirst(const Entering& entering, double tie) const;
  template <class F>
  void forEachBlocking(const Entering& entering, F&& f) const;
  void pivot(const Leaving& leaving, const Entering& entering);
  void keepBest();
  std::uint64_t hashOf(const Entering& entering) const;

  LemkeBasis basis_;
  std::vector<double> push_;  // [n] how fast each basic variable leaves its bound with t
  std::vector<double> best_;
  std::vector<LcpPlace> start_;
  double least_t_ = 0.0;
  int pivots_ = 0;
};

}  // namespace rigor
