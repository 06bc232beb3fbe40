#include "solvers/lcp_known.h"

#include <cmath>

#include "solvers/lcp_form.h"

namespace rigor {

LcpKnown knowOf(const Lcp& lcp, const std::vector<LcpDecision>& decided) {
  const int n = lcp.rows();
  const LcpBounds bounds = readBounds(lcp);
  LcpKnown known{bounds.lo, bounds.hi, std::vector<char>(n), std::vector<char>(n)};
  for (int i = 0; i < n; ++i)
    known.rises[i] = !std::isfinite(bounds.hi[i]), known.falls[i] = !std::isfinite(bounds.lo[i]);
  for (const auto& [row, place] : decided) {
    known.rises[row] = place != LcpPlace::kUpper, known.falls[row] = place != LcpPlace::kLower;
    if (place == LcpPlace::kLower) known.hi[row] = known.lo[row];
    if (place == LcpPlace::kUpper) known.lo[row] = known.hi[row];
  }
  return known;
}

std::vector<LcpPlace> placesOf(const Lcp& lcp, int row) {
  const LcpBounds bounds = readBounds(lcp);
  const bool lower = std::isfinite(bounds.lo[row]), upper = std::isfinite(bounds.hi[row]);
  if ((!lower && !upper) || bounds.lo[row] == bounds.hi[row]) return {};
  std::vector<LcpPlace> places{LcpPlace::kInside};
  if (lower) places.push_back(LcpPlace::kLower);
  if (upper) places.push_back(LcpPlace::kUpper);
  return places;
}

Lcp makeSkew(const LinearProgram& program) {
  const int m = static_cast<int>(program.b.size()), k = program.variables, n = m + k;
  Lcp lcp;
  lcp.M.assign(static_cast<std::size_t>(n) * n, 0.0);
  lcp.q.assign(n, 0.0);
  for (int r = 0; r < m; ++r) {
    for (int c = 0; c < k; ++c) {
      const double a = program.A[static_cast<std::size_t>(r) * k + c];
      lcp.M[static_cast<std::size_t>(k + r) * n + c] = a;
      lcp.M[static_cast<std::size_t>(c) * n + k + r] = -a;
    }
    lcp.q[k + r] = -program.b[r];
  }
  return lcp;
}

}  // namespace rigor
