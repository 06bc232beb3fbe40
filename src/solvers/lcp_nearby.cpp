#include "solvers/lcp_nearby.h"

#include <algorithm>
#include <cmath>

#include "solvers/dense_lu.h"

namespace rigor {
namespace {

constexpr long double kRounding = 1e-12L;  // what v may leave of a column

// A [columns × rows that v has], and ε, the largest that is left in a row of A v.
struct Equations {
  std::vector<int> columns, rows;
  std::vector<double> A;
  long double left = 0.0L;

  double at(std::size_t j, std::size_t i) const { return A[j * rows.size() + i]; }
};

Equations makeEquations(const Lcp& lcp, const std::vector<int>& columns, const std::vector<double>& v,
                        const std::vector<long double>& answer) {
  const int n = lcp.rows();
  Equations equations;
  equations.columns = columns;
  for (int i = 0; i < n; ++i)
    if (v[i] != 0.0) equations.rows.push_back(i);
  for (const int j : equations.columns) {
    long double size = 0.0L;
    const auto term = [&](int i) {
      return static_cast<long double>(lcp.M[static_cast<std::size_t>(i) * n + j]) * std::abs(v[i]);
    };
    for (const int i : equations.rows) size += std::abs(term(i));
    for (const int i : equations.rows) equations.A.push_back(size > 0.0L ? static_cast<double>(term(i) / size) : 0.0);
    if (size > 0.0L) equations.left = std::max(equations.left, std::abs(answer[j]) / size);
  }
  return equations;
}

// X [rows × columns], or empty.
std::vector<double> invert(const Equations& equations) {
  const std::size_t f = equations.columns.size(), s = equations.rows.size();
  DenseLu lu;
  lu.resize(static_cast<int>(f));
  for (std::size_t a = 0; a < f; ++a)
    for (std::size_t b = 0; b < f; ++b) {
      double sum = 0.0;
      for (std::size_t i = 0; i < s; ++i) sum += equations.at(a, i) * equations.at(b, i);
      lu.row(static_cast<int>(a))[b] = sum;
    }
  if (!lu.factor()) return {};
  std::vector<double> X(s * f), column(f);
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t j = 0; j < f; ++j) column[j] = equations.at(j, i);
    lu.solve(column.data());
    std::copy(column.begin(), column.end(), X.begin() + static_cast<std::ptrdiff_t>(i * f));
  }
  return X;
}

}  // namespace

bool findNearby(const Lcp& lcp, const std::vector<int>& columns, const std::vector<double>& v,
                const std::vector<long double>& answer, std::vector<long double>& t) {
  t.assign(v.size(), 0.0L);
  const Equations equations = makeEquations(lcp, columns, v, answer);
  if (equations.left == 0.0L) return true;
  if (equations.left > kRounding) return false;
  const std::size_t f = equations.columns.size(), s = equations.rows.size();
  const std::vector<double> X = invert(equations);
  if (X.empty()) return false;
  constexpr long double kRounded = 0x1p-50L;  // of every product: entries of A are rounded
  for (std::size_t a = 0; a < f; ++a) {
    long double off = 0.0L;
    for (std::size_t b = 0; b < f; ++b) {
      long double sum = a == b ? -1.0L : 0.0L;
      for (std::size_t i = 0; i < s; ++i) {
        const long double term = static_cast<long double>(equations.at(a, i)) * X[i * f + b];
        sum += term, off += kRounded * std::abs(term);
      }
      off += std::abs(sum);
    }
    if (!(off <= 0.5L)) return false;
  }
  for (std::size_t i = 0; i < s; ++i) {
    long double moved = 0.0L;
    for (std::size_t j = 0; j < f; ++j) moved += 2.0L * equations.left * std::abs(X[i * f + j]);
    if (!(moved <= 0.5L)) return false;
    t[equations.rows[i]] = moved;
  }
  return true;
}

}  // namespace rigor
