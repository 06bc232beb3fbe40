#include "solvers/path_equations.h"

namespace rigor {

void linearizePathContact(double mu, const double x[3], const double y[3], double psi, BlockEquation& out) {
  out = BlockEquation{};
  const double gamma = x[0], s = y[0], scale = 1.0 / (gamma + s);
  out.A[0][0] = scale * gamma;
  out.B[0][0] = scale * s;
  if (!(mu > 0.0)) {  // no friction: β = 0
    out.B[1][1] = out.B[2][2] = 1.0;
    return;
  }
  const double *beta = x + 1, *u = y + 1, tangential = 1.0 / (mu * gamma + psi);
  for (int i = 0; i < 2; ++i) {
    out.B[1 + i][0] = tangential * (mu * u[i] - beta[i] * psi / gamma);
    for (int j = 0; j < 2; ++j) {
      out.A[1 + i][1 + j] = tangential * ((i == j ? mu * gamma : 0.0) - beta[i] * beta[j] / (mu * gamma));
      out.B[1 + i][1 + j] = tangential * ((i == j ? psi : 0.0) - beta[i] * u[j] / (mu * gamma));
    }
  }
}

void linearizePathLimit(double x, double y, BlockEquation& out) {
  out = BlockEquation{};
  out.A[0][0] = x / (x + y);
  out.B[0][0] = y / (x + y);
}

void linearizePathBox(const PathBounds& bounds, double compliance, double x, double m_lo, double m_hi,
                      BlockEquation& out) {
  out = BlockEquation{};
  if (bounds.fixed) {
    out.B[0][0] = 0.5;
    return;
  }
  double stiffness = compliance;
  if (bounds.has_lo) stiffness += m_lo / (x - bounds.lo);
  if (bounds.has_hi) stiffness += m_hi / (bounds.hi - x);
  out.A[0][0] = 1.0 / (1.0 + stiffness);
  out.B[0][0] = stiffness / (1.0 + stiffness);
}

}  // namespace rigor
