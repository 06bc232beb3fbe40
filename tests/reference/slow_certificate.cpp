#include "reference/slow_certificate.h"

#include <algorithm>
#include <cmath>

namespace rigor::reference {

bool provesSlowly(const ContactProblem& problem, const std::vector<double>& f) {
  using Real = long double;
  const int m = problem.rows();
  if (f.size() != static_cast<std::size_t>(m) || m == 0) return false;
  Real approach = 0;
  for (const Block& block : problem.blocks)
    for (int r = 0; r < block.size; ++r) {
      const int row = block.row + r;
      const bool normal = (block.kind == BlockKind::kContact && r == 0) || block.kind == BlockKind::kAtLeast;
      if (!std::isfinite(f[row]) || (normal && f[row] < 0)) return false;
      if (!normal && block.kind != BlockKind::kEqual && f[row] != 0) return false;
      if (problem.compliance[row] > 0 && f[row] != 0) return false;  // what gives way can be pressed in
      approach += Real(f[row]) * (Real(problem.b[row]) + (normal ? Real(problem.bias[row]) : 0));
    }
  Real answer = 0;  // the most that (Wᵀf)·λ can be
  for (int j = 0; j < m; ++j) {
    Real sum = 0;
    for (int i = 0; i < m; ++i) sum += Real(f[i]) * Real(problem.W(i, j));
    const Real own = std::fabs(Real(problem.W(j, j)));
    if (own > 0) answer += std::fabs(sum) * 1000 * (std::fabs(problem.b[j]) + std::fabs(problem.bias[j])) / own;
  }
  return approach < 0 && -approach > answer;
}

}  // namespace rigor::reference
