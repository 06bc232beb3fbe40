// Generalised minimal residuals: corrects the answer of nearly right factors until it solves the exact system. Factors of
// contact problems carry a diagonal that redundant rows need and that a few weak directions feel; each of those costs
// about one round here, where plain refinement would crawl along it.
#pragma once

#include <functional>
#include <vector>

namespace rigor {

class Gmres {
 public:
  using Map = std::function<void(const double* x, double* y)>;  ///< [n] → [n]

  /// Makes room for systems of up to this size, before the first of them.
  void reserve(int n) {
    basis_.reserve((kMost + 1) * static_cast<std::size_t>(n));
    steps_.reserve(kMost * static_cast<std::size_t>(n));
  }

  /// x ← x + what is missing, |right − A x| ≤ goal·|right|, with `factors` an approximate A⁻¹ in place. Returns whether the
  /// goal was reached within `rounds`, at most 30; if not, x stays as it was unless `anyway`: rows that contradict each other
  /// have no exact answer.
  bool correct(int n, const Map& multiply, const std::function<void(double* x)>& factors, const double* right,
               double goal, int rounds, bool anyway, double* x);

 private:
  static constexpr int kMost = 30;  // rounds

  double* basis(int k) { return basis_.data() + static_cast<std::size_t>(k) * size_; }
  double* steps(int k) { return steps_.data() + static_cast<std::size_t>(k) * size_; }
  double orthogonalize(int k);
  bool rotate(int k, double length);
  void take(int rounds, double* x);

  std::size_t size_ = 0;
  std::vector<double> basis_, steps_;                     // [kMost + 1, kMost × n]
  double hessenberg_[kMost + 1][kMost];                   // made triangular by rotations
  double cosine_[kMost], sine_[kMost], left_[kMost + 1];  // of the rotations; the residual in the basis
};

}  // namespace rigor
