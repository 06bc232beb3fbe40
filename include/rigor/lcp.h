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

/// How well z obeys the problem, from M, q and the bounds alone, with w = M z + q summed in long double. Rows are scaled by
/// d = M_ii^−½ (where that is not positive or only rounding, so that the largest entries of d M d are 1): z/d and d·w have one unit.
///
///   r = |z/d − P(z/d − d w)|,  P the nearest point of the bounds;     s = max(|d q|, |d M z|, 1e-6 of the largest |d q|)
///   solved ⇔ r ≤ tolerance · s in every row, with a w that is 0 or nearer to it by
///            min(8 eps d_i Σ_j max(|M_ij|, √(M_ii M_jj)) |z_j|, 1e-6 max(s, largest |d q|)) / d_i
///
/// The last term, the floor, is what rounding does to a matrix J M⁻¹Jᵀ; its ceiling keeps huge z from excusing anything. The largest
/// |d q| is that of all rows that are coupled by M. In a row with a bound that is not 0, s is at most the largest of |z|/d and its finite
/// bounds: a box that is small for the others still has a right end and a wrong one.
struct LcpResiduals {
  double residual = 0.0;        ///< max r/s with the floor: solved if it is within the tolerance
  double plain_residual = 0.0;  ///< max r/s
  bool by_floor = false;        ///< solved only thanks to the floor
  bool finite = true;           ///< false: nothing else counts
  int worst_row = -1;
};

/// `basis` is a start on entry if it has one place for every row (that of the last answer, say), and the answer's on return.
struct LcpSolution {
  LcpStatus status = LcpStatus::kUnsolved;
  std::vector<double> z, w;     ///< [n] the answer, or with kUnsolved the best iterate; w = M z + q
  std::vector<LcpPlace> basis;  ///< [n]
  /// [n] with kNoSolution: v ≥ 0 (any sign on free rows, 0 on rows with two bounds, ≤ 0 on rows with an upper bound alone) and
  /// v·w < 0 whatever z is within its bounds. In the standard form Mᵀv ≤ 0 and v·q < 0 (Farkas). Largest entry 1.
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

/// True if v proves that no z solves the problem. Mᵀv is summed in long double; what it has of the wrong sign must be within 1e-12
/// of what v could do, Σ max(|M_ij|, 1/(d_i d_j)) |v_i| with 1/(d_i d_j) = √(M_ii M_jj), and v·q must be negative by more than it times
/// z a million times as large as q asks for.
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
