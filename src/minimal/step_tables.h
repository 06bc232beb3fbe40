// What a model's steps look things up in: made once per model, never changed, shared by forks.
#pragma once

#include <memory>
#include <vector>

#include "collision/collision_table.h"
#include "model/loop_freedoms.h"
#include "model/parameters.h"
#include "model/topology.h"
#include "stepping/own_terms.h"

namespace rigor {

/// Range of a joint with one freedom.
struct JointLimit {
  int dof, q_index;
  double lower, upper;
};

/// A joint that turns about one axis and does nothing else.
struct Hinge {
  int dof, q_index;
};

/// Freedoms of a joint that turn.
struct JointTurn {
  int dof, count;  ///< the first of them
};

inline constexpr double kSlowestBounce = 1e-9;  ///< [m/s]

struct StepTables {
  /// `bounces_always`: impacts have no threshold but rounding below which they do not bounce.
  explicit StepTables(const Model& model, const OwnTerms& own = {}, bool bounces_always = false);
  StepTables(const StepTables&) = delete;

  Model model;
  const Topology& topology;
  std::vector<int> prescribed;        ///< trees that move as they are told, ascending: no force moves them
  std::vector<char> is_prescribed;    ///< [trees]
  Parameters<double> without_masses;  ///< of the model, but links of such trees weigh nothing; empty if there are none
  const Parameters<double>& parameters;  ///< those, or the model's own
  CollisionTable collision;
  std::vector<JointLimit> limits;     ///< in the order of the freedoms
  std::vector<Hinge> hinges;          ///< in their order
  std::vector<LoopPart> loops;        ///< and behind them the constraints of a user
  std::vector<SpringPart> springs;    ///< on freedoms of loops and between points
  std::vector<LoopFreedom> freedoms;  ///< stops, dry friction and motors of loops
  OwnTerms own;                       ///< what a user wrote
  bool rubs = false;                  ///< some joint has dry friction
  std::vector<JointTurn> turns;       ///< in their order; of all links but round ones, which may turn however fast
  /// Balls of tree t: balls_of_tree[balls_start[t] … balls_start[t + 1]).
  std::vector<int> balls_start, balls_of_tree;

  /// True if forces can move the link.
  bool answers(int link) const { return link >= 0 && !is_prescribed[topology.tree[link]]; }
};

}  // namespace rigor
