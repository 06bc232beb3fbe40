// Linear complementarity problems, standard and mixed: solved and verified, or proved to have no solution, or neither; never a
// guess. The algebra behind law pyramid (RP eq. 3 and 7, OS eq. 28 and 34), usable alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rigor/contact_problem.h"
#include "rigor/solver.h"

namespace rigor {

/// Find z with w = M z + q and, in every row,
///
///   lo ≤ z ≤ hi,    w ≥ 0 where z = lo,   w ≤ 0 where z = hi,   w = 0 in between.
///
/// With lo = 0 and hi = ∞, which is what empty bounds mean, this is the standard form 0 ≤ w ⟂ z ≥ 0. A row of `free` has no
/// bounds, so w = 0: a loop, an equation. M need be neither symmetric nor definite.
struct Lcp {
  std::vector<double> M;       ///< [n × n] by rows
  std::vector<double> q;       ///< [n]
  std::vector<int> free;       ///< rows without bounds, each named once; what lo and hi say of them does not count
  std::vector<double> lo, hi;  ///< [n], −∞ and ∞ allowed; empty: 0 and ∞

  int rows() const { return static_cast<int>(q.size()); }
};

enum class LcpStatus : std::uint8_t {
  kSolved,      ///< verified by judgeLcp
  kNoSolution,  ///< proved: `certificate` passes provesNoSolution, or where there is none `branches` provesByCases
  kUnsolved,    ///< neither a solution nor a proof was found: nothing is claimed
  kBadInput,    ///< wrong sizes, numbers that are not finite, lo above hi, rows named twice
};

struct LcpOptions {
  double tolerance = 1e-9;         ///< of judgeLcp
  int max_pivots = 0;              ///< of each path; 0: 200 + 20 n
  int covers = 12;                 ///< paths that are tried before other methods are
  int most_enumerated = 20;        ///< rows up to which all bases are tried at the end, a second's work; at most 24
  int most_branches = 2000;        ///< cases that are told apart after that, until all are proved to be empty
  const StopFlag* stop = nullptr;  ///< once it is raised, the best so far will do
};

/// Where z is in a row: what a basis is made of.
enum class LcpPlace : std::uint8_t { kLower, kUpper, kInside };

/// A case: the row is at this bound, or w = 0.
struct LcpDecision {
  int row = 0;
  LcpPlace place = LcpPlace::kLower;
};

/// Cases in which v has v·w < 0 whatever z is within its bounds. A row that is decided allows more: where z = lo also v > 0, where
/// z = hi v < 0, where w = 0 both; and in the first two z is known.
struct LcpBranch {
  std::vector<LcpDecision> decided;
  std::vector<double> v;  ///< [n]
};

/// How well z obeys the problem, from M, q and the bounds alone, with w = M z + q summed in long double. Rows (w_i) and columns (z_j) may be
/// in any unit each, so that every number is judged beside those of its own row or column:
///
///   |w_i| beside s_i = max(|q_i|, |(M z)_i|);     |z_i − bound| beside the least s_j / |M_ji| that any row would notice
///
/// r is the least that one of the three ways to obey a row lacks: at lo with w ≥ 0, at hi with w ≤ 0, w = 0 within. Solved is r ≤
/// tolerance in every row. Of w rounding may hide 8 eps Σ |M_ij z_j|, but no more than 1e-6 s_i unless q_i is 0: a row that asks for
/// something has a number that no rounding may swallow.
///
/// Rows that push each other like contacts and joints, M_ij = M_ji ≤ √(M_ii M_jj), are known to rounding of √(M_ii M_jj) and of the largest push
/// among them; where they ask for nothing themselves (q_i less than the rounding of what they add up), that is hidden up to 1e-6 of
/// what their group asks: the upper contacts of a standing stack. A z a million times what rows ask for excuses nothing. In a row
/// with a bound that is not 0, z is small beside the largest of it and its finite bounds: a small box has a right end and a wrong one.
struct LcpResiduals {
  double residual = 0.0;        ///< max r with what rounding hides: solved if it is within the tolerance
  double plain_residual = 0.0;  ///< max r without
  bool by_floor = false;        ///< solved only thanks to what rounding hides
  bool finite = true;           ///< false: nothing else counts
  int worst_row = -1;
};

/// `basis` is a start on entry if it has one place for every row (that of the last answer, say), and the answer's on return.
struct LcpSolution {
  LcpStatus status = LcpStatus::kUnsolved;
  std::vector<double> z, w;     ///< [n] the answer, or with kUnsolved the best iterate; w = M z + q
  std::vector<LcpPlace> basis;  ///< [n]
  /// [n] with kNoSolution: v ≥ 0 (any sign on free rows, 0 on rows with two bounds, ≤ 0 on rows with an upper bound alone) and
  /// v·w < 0 whatever z is within its bounds. In the standard form Mᵀv ≤ 0 and v·q < 0 (Farkas). Largest entry ½ to 1.
  std::vector<double> certificate;
  std::vector<LcpBranch> branches;  ///< with kNoSolution and no certificate: together they are all cases
  LcpResiduals residuals;
  const char* stage =
      "";  ///< what won: "zero", "basis", "lemke", "split", "lemke_howson", "enumeration", "ray", "farkas", "branches"
  int pivots = 0;  ///< of all paths
};

/// The last basis if there is one, then Lemke's method from several covers; where that ends on rays, a proof by Farkas' lemma is
/// looked for, and Lemke and Howson's method or all bases are tried; at the end all cases are told apart, until one has a solution or each a
/// proof that it has none. Every pivot factors its basis anew from M.
///
/// Lemke's method alone solves every q if M is P, positive semidefinite or copositive and a solution is not excluded by a ray;
/// friction pyramids are of this kind. Other problems may end as kUnsolved though they have solutions.
void solveLcp(const Lcp& lcp, const LcpOptions& options, LcpSolution& solution);
LcpSolution solveLcp(const Lcp& lcp, const LcpOptions& options = {});

/// What is wrong with a problem, and what to do; throws Error. `file` is for the message.
void checkLcp(const Lcp& lcp, const std::string& file = {});

LcpResiduals judgeLcp(const Lcp& lcp, const std::vector<double>& z, double tolerance = LcpOptions{}.tolerance);

/// True if v proves that no z solves the problem. Signs of Mᵀv count as they are, summed without rounding. Two things may be otherwise:
/// columns of free rows, where Mᵀv has to be 0 and v is only the rounding of a v' that does it (shown to exist, with all signs); and what
/// rows that push each other (as above) leave to rounding, 1e-12 Σ √(M_ii M_jj) |v_i|, if v·q is negative by more than that times z a million
/// times as large as their q asks for.
bool provesNoSolution(const Lcp& lcp, const std::vector<double>& v);

/// True if each branch has such a v, and no z is outside of all of them: some row is decided in all its ways, and what is left of the
/// branches in each of them is complete likewise.
bool provesByCases(const Lcp& lcp, const std::vector<LcpBranch>& branches);

/// The friction pyramids of a contact problem as one mixed problem (OS eq. 34). A contact is the rows λn, β of each corner d_j, and
/// σ, the speed it slips at; λt = Σ β_j d_j:
///
///   0 ≤ λn ⟂ un + ν + R λn ≥ 0,    0 ≤ β_j ⟂ d_j·ut + σ ≥ 0,    0 ≤ σ ⟂ μ λn − Σ β_j ≥ 0
///
/// Contacts without friction are λn alone, equal rows are free, box rows have their bounds. The law must be kPyramid.
Lcp makePyramidLcp(const ContactProblem& problem);
/// λ [m] of the contact problem from z of that problem.
std::vector<double> readPyramidImpulse(const ContactProblem& problem, const std::vector<double>& z);

}  // namespace rigor
