#include "solvers/gmres.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace rigor {
namespace {

double dot(std::size_t n, const double* a, const double* b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

// Makes the next direction orthogonal to those before; returns what is left of its length.
double Gmres::orthogonalize(int k) {
  double* next = basis(k + 1);
  for (int j = 0; j <= k; ++j) {
    const double along = dot(size_, basis(j), next);
    hessenberg_[j][k] = along;
    for (std::size_t i = 0; i < size_; ++i) next[i] -= along * basis(j)[i];
  }
  return std::sqrt(dot(size_, next, next));
}

// Givens rotations on column k; false if the direction says nothing new.
bool Gmres::rotate(int k, double length) {
  constexpr double kNothing = 1e-14;
  hessenberg_[k + 1][k] = length;
  for (int j = 0; j < k; ++j) {
    const double a = hessenberg_[j][k], b = hessenberg_[j + 1][k];
    hessenberg_[j][k] = cosine_[j] * a + sine_[j] * b;
    hessenberg_[j + 1][k] = cosine_[j] * b - sine_[j] * a;
  }
  const double a = hessenberg_[k][k], radius = std::hypot(a, length);
  if (!(radius > kNothing)) return false;
  cosine_[k] = a / radius;
  sine_[k] = length / radius;
  hessenberg_[k][k] = radius;
  left_[k + 1] = -sine_[k] * left_[k];
  left_[k] *= cosine_[k];
  return true;
}

void Gmres::take(int rounds, double* x) {
  for (int j = rounds - 1; j >= 0; --j) {
    for (int l = j + 1; l < rounds; ++l) left_[j] -= hessenberg_[j][l] * left_[l];
    left_[j] /= hessenberg_[j][j];
  }
  for (int j = 0; j < rounds; ++j)
    for (std::size_t i = 0; i < size_; ++i) x[i] += left_[j] * steps(j)[i];
}

bool Gmres::correct(int n, const Map& multiply, const std::function<void(double* x)>& factors, const double* right,
                    double goal, int rounds, bool anyway, double* x) {
  size_ = static_cast<std::size_t>(n);
  assert(rounds <= kMost);
  basis_.resize((rounds + 1) * size_);
  steps_.resize(rounds * size_);
  multiply(x, basis(0));
  for (int i = 0; i < n; ++i) basis(0)[i] = right[i] - basis(0)[i];
  const double limit = goal * std::sqrt(dot(size_, right, right));
  double length = std::sqrt(dot(size_, basis(0), basis(0)));
  if (!(length > limit)) return true;
  left_[0] = length;
  int k = 0;
  while (k < rounds && length > 0.0 && std::abs(left_[k]) > limit) {
    for (int i = 0; i < n; ++i) basis(k)[i] /= length;
    std::copy_n(basis(k), n, steps(k));
    factors(steps(k));
    multiply(steps(k), basis(k + 1));
    length = orthogonalize(k);
    if (!rotate(k, length)) break;
    ++k;
  }
  const bool reached = std::abs(left_[k]) <= limit;
  if (reached || anyway) take(k, x);
  return reached;
}

}  // namespace rigor
