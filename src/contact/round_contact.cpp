#include "contact/round_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rigor {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// The tangential problem that is left after the normal has been eliminated.
template <int N>
struct Tangential {
  double W[N][N], h[N], k[N];  // Ŵ, ĥ, k′
  double normal;               // λn0
  double size;                 // trace of Wtt: what rounding is measured against

  double normalOf(const double* t) const {
    double sum = normal;
    for (int i = 0; i < N; ++i) sum -= k[i] * t[i];
    return sum;
  }
};

template <int N>
double lengthOf(const double* x) {
  double sum = 0.0;
  for (int i = 0; i < N; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

template <int N>
Tangential<N> eliminateNormal(const double W[1 + N][1 + N], const double* b, double normal_row) {
  Tangential<N> t;
  const double inverse = 1.0 / normal_row;
  t.normal = -b[0] * inverse;
  t.size = 0.0;
  for (int i = 0; i < N; ++i) {
    t.k[i] = W[0][1 + i] * inverse;
    t.h[i] = b[1 + i] + W[1 + i][0] * t.normal;
    t.size += W[1 + i][1 + i];
  }
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) t.W[i][j] = W[1 + i][1 + j] - W[1 + i][0] * t.k[j];
  return t;
}

/// x ← (Ŵ + e I)⁻¹ x with row exchanges; false if a pivot vanishes.
template <int N>
bool solveShifted(const Tangential<N>& t, double e, double* x, double* y) {
  double A[N][N + 2];
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) A[i][j] = t.W[i][j] + (i == j ? e : 0.0);
    A[i][N] = x[i], A[i][N + 1] = y ? y[i] : 0.0;
  }
  for (int k = 0; k < N; ++k) {
    int pivot = k;
    for (int i = k + 1; i < N; ++i)
      if (std::abs(A[i][k]) > std::abs(A[pivot][k])) pivot = i;
    if (!(std::abs(A[pivot][k]) > 0.0)) return false;
    if (pivot != k) std::swap(A[k], A[pivot]);
    for (int i = k + 1; i < N; ++i) {
      const double factor = A[i][k] / A[k][k];
      for (int j = k + 1; j < N + 2; ++j) A[i][j] -= factor * A[k][j];
    }
  }
  for (int i = N - 1; i >= 0; --i)
    for (int c = 0; c < 2; ++c) {
      double sum = A[i][N + c];
      for (int j = i + 1; j < N; ++j) sum -= A[i][j] * A[j][N + c];
      A[i][N + c] = sum / A[i][i];
    }
  for (int i = 0; i < N; ++i) {
    x[i] = A[i][N];
    if (y) y[i] = A[i][N + 1];
  }
  return true;
}

/// Eigenvalues and -vectors (columns of Q) of the symmetric part by Jacobi's rotations.
template <int N>
void findEigenbasis(const Tangential<N>& t, double* values, double Q[N][N]) {
  double A[N][N];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) A[i][j] = 0.5 * (t.W[i][j] + t.W[j][i]), Q[i][j] = i == j ? 1.0 : 0.0;
  for (int sweep = 0; sweep < 12; ++sweep)
    for (int p = 0; p < N; ++p)
      for (int q = p + 1; q < N; ++q) {
        if (std::abs(A[p][q]) <= 1e-17 * t.size) continue;
        const double theta = 0.5 * (A[q][q] - A[p][p]) / A[p][q];
        const double tangent = std::copysign(1.0, theta) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
        const double c = 1.0 / std::sqrt(tangent * tangent + 1.0), s = tangent * c;
        for (int i = 0; i < N; ++i) {
          const double ip = A[i][p], iq = A[i][q];
          A[i][p] = c * ip - s * iq, A[i][q] = s * ip + c * iq;
        }
        for (int i = 0; i < N; ++i) {
          const double pi = A[p][i], qi = A[q][i];
          A[p][i] = c * pi - s * qi, A[q][i] = s * pi + c * qi;
          const double vp = Q[i][p], vq = Q[i][q];
          Q[i][p] = c * vp - s * vq, Q[i][q] = s * vp + c * vq;
        }
      }
  for (int i = 0; i < N; ++i) values[i] = A[i][i];
}

/// Takes from ĥ what only rounding put along directions that Ŵ does not move. Writes −Ŵ⁺ĥ, and returns whether that is what
/// sticking asks for: ĥ then has no part along such directions.
template <int N>
bool findSticking(double noise, Tangential<N>& t, double* sticking) {
  double values[N], Q[N][N];
  findEigenbasis<N>(t, values, Q);
  bool moved = true, regular = true;
  std::fill_n(sticking, N, 0.0);
  for (int k = 0; k < N; ++k) {
    double along = 0.0;
    for (int i = 0; i < N; ++i) along += Q[i][k] * t.h[i];
    if (values[k] > 1e-11 * t.size) {
      for (int i = 0; i < N; ++i) sticking[i] -= along / values[k] * Q[i][k];
      continue;
    }
    regular = false;
    if (std::abs(along) > noise)
      moved = false;
    else
      for (int i = 0; i < N; ++i) t.h[i] -= along * Q[i][k];
  }
  if (!regular) return moved;
  for (int i = 0; i < N; ++i) sticking[i] = -t.h[i];
  return solveShifted<N>(t, 0.0, sticking, nullptr);
}

/// λt at the root of ψ; false without one.
template <int N>
bool findSlip(const Tangential<N>& t, double mu, double* impulse) {
  double lo = 0.0, hi = std::numeric_limits<double>::infinity();
  const double guess = lengthOf<N>(t.h) / (mu * t.normal);
  double e = 0.5 * guess;
  for (int steps = 0; steps < 200; ++steps) {
    double x[N], dx[N];
    for (int i = 0; i < N; ++i) x[i] = -t.h[i];
    if (!solveShifted<N>(t, e, x, nullptr)) return false;
    for (int i = 0; i < N; ++i) dx[i] = -x[i];
    if (!solveShifted<N>(t, e, dx, nullptr)) return false;
    std::copy_n(x, N, impulse);
    const double length = lengthOf<N>(x), normal = t.normalOf(x);
    double growth = 0.0, along = 0.0;  // dλn/de, λt·dλt/de
    for (int i = 0; i < N; ++i) growth -= t.k[i] * dx[i], along += x[i] * dx[i];
    const double psi = mu * normal / length - 1.0;
    const double slope = mu * (growth - normal * along / (length * length)) / length;
    (psi < 0.0 ? lo : hi) = e;
    if (std::abs(psi) <= 4.0 * kEps) return true;
    double next = e - psi / slope;
    if (!(next > lo && next < hi)) next = std::isfinite(hi) ? 0.5 * (lo + hi) : 2.0 * e + guess;
    if (std::abs(next - e) <= 2.0 * kEps * next) return true;
    e = next;
    if (!std::isfinite(e)) return false;
  }
  return true;
}

}  // namespace

template <int N>
ContactMode solveRoundContact(const double W[1 + N][1 + N], const double* free, double bias, double compliance,
                              double mu, const double*, double* next) {
  std::fill_n(next, 1 + N, 0.0);
  double b[1 + N], size = 0.0;
  std::copy_n(free, 1 + N, b);
  b[0] += bias;
  const double normal_row = W[0][0] + compliance;
  if (b[0] >= 0.0 || !(normal_row > 0.0)) return ContactMode::kOpen;
  Tangential<N> t = eliminateNormal<N>(W, b, normal_row);
  next[0] = t.normal;
  if (mu <= 0.0) return ContactMode::kSlip;
  for (int i = 0; i < N; ++i) size += std::abs(b[1 + i]) + std::abs(W[1 + i][0] * t.normal);
  double tangents[N];
  const bool may_stick = findSticking<N>(1e-10 * size, t, tangents);
  if (may_stick && lengthOf<N>(tangents) <= mu * t.normalOf(tangents)) {
    next[0] = t.normalOf(tangents);
    std::copy_n(tangents, N, next + 1);
    return ContactMode::kStick;
  }
  if (!findSlip<N>(t, mu, tangents)) return ContactMode::kSlip;
  // λn carries the normal equation; the length of λt follows it to the last bit
  next[0] = t.normalOf(tangents);
  const double length = lengthOf<N>(tangents), stretch = length > 0.0 ? mu * next[0] / length : 0.0;
  for (int i = 0; i < N; ++i) next[1 + i] = stretch * tangents[i];
  return ContactMode::kSlip;
}

template ContactMode solveRoundContact<3>(const double W[4][4], const double*, double, double, double, const double*,
                                          double*);
template ContactMode solveRoundContact<5>(const double W[6][6], const double*, double, double, double, const double*,
                                          double*);

}  // namespace rigor
