// The contact problem of one island and its answer: the only things a solver ever sees.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rigor/delassus_matrix.h"
#include "rigor/state.h"

namespace rigor {

/// What a block of rows may do. The impulse stays in K, the shifted velocity û in its dual K*.
enum class BlockKind : std::uint8_t {
  kEqual,    ///< K = R^k. Loop closure, weld: the velocity is zero.
  kAtLeast,  ///< K = [0, ∞). Joint limit, frictionless contact: û = u + bias + compliance·λ.
  kBox,      ///< K = [lo, hi]. Dry friction, saturated motor: û = u + bias + compliance·λ, bias = −u*.
  kContact,  ///< K = {|λt| ≤ μ λn}, 3 rows (normal, tangents), 4 or 6: û = u + (bias + compliance·λn + μ|ut|) n.
};

/// How friction acts. All have the impulse in a cone K and û in K*, with λ·û = 0.
enum class Law : std::uint8_t {
  kCoulomb,     ///< û = u + (ν + μ|ut|) n: friction opposes slip, and what slips does not lift.
  kAssociated,  ///< û = u + ν n, the convex approximation of many simulators: what slips lifts by μ|ut|.
  /// PC eq. 8: of all impulses in the cone that stop the approach, the one that leaves the least kinetic energy at the
  /// contact. û = u + (ν + μs) n + μs k with k = Wnt/Wnn of its own block and s = |ut + μs k|: Coulomb where k = 0.
  kDissipation,
  /// The polygon of `ContactProblem::directions` corners in place of the disc: λt ∈ μ λn P, P with its corners on the unit
  /// circle and the first one along the first tangent. û = u + (ν + μ max_j(−d_j·ut)) n.
  kPyramid,
};
std::string_view lawName(Law law);  ///< coulomb, associated, dissipation, pyramid
/// The law of this name; throws Error with the nearest one.
Law findLaw(std::string_view name);

/// Corners that the polygon of the law kPyramid may have: an even number.
inline constexpr int kLeastDirections = 4, kMostDirections = 64, kUsualDirections = 8;
inline bool isSoundDirections(int count) {
  return count >= kLeastDirections && count <= kMostDirections && count % 2 == 0;
}

struct Block {
  BlockKind kind = BlockKind::kContact;
  int row = 0, size = 3;
  double mu = 0.0;            ///< contact
  double lo = 0.0, hi = 0.0;  ///< box [N s]
  RowId id = {};              ///< where the rows come from; stays the same from step to step
};

/// u = W λ + b between the impulses λ [N s] and the velocities u [m/s] of one island, and the set that each block of
/// λ must stay in. No robot, no geometry, no time. A copyable value: any step's problem can be saved.
///
/// W is positive semidefinite up to a small unsymmetric part (constraint rows are taken at the predicted pose),
/// often singular: four legs of a table give 12 rows of rank 6. λ need not be unique.
struct ContactProblem {
  std::vector<Block> blocks;       ///< [nb] in the order of their rows
  DelassusMatrix W;                ///< [m × m] J̃ M⁻¹ Jᵀ
  std::vector<double> b;           ///< [m] velocity of the rows if no impulse acted
  std::vector<double> bias;        ///< [m] ν on normal rows (φ⁺/h or restitution; soft: φ/h), −u* on box rows, else 0
  std::vector<double> compliance;  ///< [m] R of box rows and soft normal rows, else 0 [m/s per N s]
  std::vector<double> row_error;   ///< [m] known error of b, ≥ 0; or empty: none
  Law law = Law::kCoulomb;         ///< of the contacts
  int directions = kUsualDirections;  ///< corners of the polygon of kPyramid
  double velocity_scale = 0.0;  ///< h · 1 m/s²: below this, velocities are judged absolutely; 0: no absolute scale

  int rows() const { return static_cast<int>(b.size()); }
};

enum class SolveStatus : std::uint8_t {
  kSolved,      ///< the judge accepts
  kInaccurate,  ///< the judge refuses, but not by more than 1e-6 of the scale
  kNoSolution,  ///< proved
  kUnsolved,
  kBadInput,  ///< not finite, wrong sizes
};

/// The judge's numbers about one answer; all of them computed from the problem, λ and u alone.
/// `law` is relative (1e-10 is the default limit), the others are in m/s, N s or J as said.
struct Residuals {
  double law = 0.0;              ///< max over blocks of (r_i − floor_i)⁺ / scale_i
  double plain_law = 0.0;        ///< the same without the floor, law and equation: max r_i / scale_i
  double equation = 0.0;         ///< max over rows of |u − (Wλ + b)|, relative to the block's scale
  double natural_map = 0.0;      ///< max r_i [m/s]
  double primal = 0.0;           ///< distance of λ from K [N s]
  double dual = 0.0;             ///< distance of û from K* [m/s]
  double complementarity = 0.0;  ///< max |λ_i·û_i| [J]
  double signorini = 0.0;        ///< max |min(λn·w, un + ν)| [m/s]
  double dissipation = 0.0;      ///< largest power that friction puts in, max λt·ut [J]; ≤ 0 is right
  double floor = 0.0;            ///< rounding floor of the worst block, same unit as `law`
  double law_gap = 0.0;          ///< `law` as it would be by Coulomb's law: how far an approximate law is from it
  int worst_block = -1;
  bool by_floor = false;        ///< accepted, but only thanks to the floor: plain_law exceeds the tolerance
  bool beyond_doubles = false;  ///< impulses so large that no velocities which they leave can be accepted
  bool finite = true;
};

/// `impulse` and `modes` are the start on entry (sizes set by the caller; zeros are fine) and the answer on return.
struct ContactSolution {
  std::vector<double> impulse;     ///< [m] λ
  std::vector<double> velocity;    ///< [m] u = W λ + b
  std::vector<ContactMode> modes;  ///< [nb] at-least: open or stick; box: stick inside, slip at a bound
  bool modes_known = false;        ///< on entry: `modes` is a good guess (the last step's sets)
  SolveStatus status = SolveStatus::kUnsolved;
  const char* stage = "";  ///< stage that won: "sets", "block_sor", "newton", …
  int iterations = 0;      ///< sweeps + Newton steps
  Residuals residuals;
  /// [m] with kNoSolution: f ≥ 0 on normal rows, any sign on equal rows, 0 elsewhere, W f = 0, f·(b + bias) < 0. Impulses
  /// that move nothing and yet would have to stop an approach. Else empty.
  std::vector<double> certificate;
  std::string complaint;  ///< what a solver from outside threw (stage "threw"); else empty
};

}  // namespace rigor
