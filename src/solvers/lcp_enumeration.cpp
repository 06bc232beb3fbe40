#include "solvers/lcp_enumeration.h"

#include <cmath>

namespace rigor {
namespace {

constexpr double kAbout = 1e-9;  // a first look: whether it is a solution is for the verdict

// Places that a row may have, in the order in which they are counted through.
struct Choices {
  LcpPlace places[3];
  int count;
};

Choices choicesOf(const LcpForm& form, int row) {
  Choices choices{{}, 0};
  if (form.isFree(row)) return {{LcpPlace::kInside}, 1};
  if (form.isFixed(row)) return {{LcpPlace::kLower}, 1};
  if (std::isfinite(form.lo[row])) choices.places[choices.count++] = LcpPlace::kLower;
  if (std::isfinite(form.hi[row])) choices.places[choices.count++] = LcpPlace::kUpper;
  choices.places[choices.count++] = LcpPlace::kInside;
  return choices;
}

}  // namespace

bool enumerateBases(const LcpForm& form, int most, const StopFlag* stop, LemkePath& path,
                    const std::function<bool(const LemkePath&)>& accept) {
  const int n = form.rows();
  double bases = 1.0;
  std::vector<Choices> choices;
  for (int i = 0; i < n; ++i) {
    choices.push_back(choicesOf(form, i));
    bases *= choices.back().count;
  }
  if (bases > std::ldexp(1.0, most)) return false;
  std::vector<int> digit(n, 0);
  std::vector<LcpPlace> places(n);
  while (!isRaised(stop)) {
    for (int i = 0; i < n; ++i) places[i] = choices[i].places[digit[i]];
    if (path.tryBasis(form, places, stop) && path.obeysSigns(kAbout) && accept(path)) return true;
    int i = 0;
    while (i < n && ++digit[i] == choices[i].count) digit[i++] = 0;
    if (i == n) return false;
  }
  return false;
}

}  // namespace rigor
