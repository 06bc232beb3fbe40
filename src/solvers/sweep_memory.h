// Where sweeps lead, from where the last ones led (Anderson's mixing). A sweep to and fro maps λ to G(λ); what is looked for
// is G(λ) = λ. While no contact changes its mode G is affine, and the combination of the last few λ whose moves
// f = G(λ) − λ cancel best is nearer than any of them.
#pragma once

#include <cstddef>
#include <vector>

namespace rigor {

/// What became of λ.
enum class SweepGuess {
  kNone,   ///< left as it is
  kMixed,  ///< a combination of the last ones
  kDrift,  ///< left as it is: sweeps move on and on by the same f, and nothing in the last ones ends it
};

class SweepMemory {
 public:
  static constexpr int kDepth = 6;

  void reserve(int rows);
  void begin(int rows);
  /// `before` went to `after` in a sweep to and fro; weight[r]: velocity per impulse of each row.
  SweepGuess extrapolate(const double* before, const double* weight, double* after);
  /// λ was changed by somebody else.
  void forget() { count_ = next_ = 0, known_ = guessed_ = false; }

 private:
  /// Coefficients of the combination with the least |f − Σ γ df|.
  struct Mix {
    double gamma[kDepth];
    int used[kDepth], count = 0;
    double explained = 0.0;  ///< |Σ γ df|²
  };
  Mix leastMix(int latest, double size);
  double* columnOf(std::vector<double>& list, int index) { return &list[static_cast<std::size_t>(index) * rows_]; }

  int rows_ = 0, count_ = 0, next_ = 0;
  bool known_ = false;    // f_ and g_ are those of the last call
  bool guessed_ = false;  // and its λ was mixed
  double size_ = 0.0;     // |f| of the last call
  std::vector<double> f_, g_, plain_;
  std::vector<double> df_, dg_;  // [kDepth × rows] differences of f and G, of as many sweeps as there are in `count_`
  double gram_[kDepth][kDepth];  // products of the df
};

}  // namespace rigor
