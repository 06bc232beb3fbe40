// Problems of a scene before they bite: what a run would refuse, leave out or show wrongly, each with a remedy.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "rigor/scene.h"

namespace rigor {

/// Something that an experienced user would have seen coming.
struct Problem {
  std::string kind;       ///< one word for tools, see checkScene
  bool is_error = false;  ///< a run is refused, or its end is incomplete; otherwise only a warning
  Place where;            ///< `element` names what it is about: `joint "elbow"`, `"hand" and "table"`
  std::string message, remedy;
  bool is_notice = false;  ///< a warning about nothing wrong: `--strict` lets it pass
};

/// Looks at a scene without running it; errors first, then in the order of this table.
///
/// | kind | what was found |
/// |---|---|
/// | `overlap` | shapes inside each other where the scene starts, by pair and depth |
/// | `lasting_overlap` | shapes of one robot inside each other in every pose: left out of contact |
/// | `pose` | joints that are moved so that the start is without overlap |
/// | `open_loop` | a loop that is open where the scene starts, and by how much: a run closes it first |
/// | `unclosable_loop` | a loop that no pose closes near the start: a run is refused |
/// | `start` | the simulator refuses the start for another reason, such as pairs that cannot be moved apart; or, as a warning, what else a run tells at its start |
/// | `missing_shape` | a collision shape that could not be read |
/// | `hull` | a mesh that collides as a much larger hull |
/// | `no_shape` | something that moves and has no collision shape; an error where nothing of a free tree has one |
/// | `mass_ratio` | links of one tree whose masses differ by more than 1e5 |
/// | `inertia` | moments that no body has, too small or too large for its size, or a centre of mass far outside its shapes |
/// | `compliance` | a body that sinks into what it lies on by more than its own thickness |
/// | `rolling`, `torsion` | lengths of friction of turning that are larger than the shape |
/// | `units` | sizes or masses that are likely millimetres or grams |
/// | `base` | a free robot whose centre of mass is beside all that it stands on: an arm that should be fixed |
/// | `step` | a spring or a PD drive too fast for the step, h·ω > 1 |
/// | `limit` | a joint that starts outside or at the end of its range, or has none to move in |
/// | `effort` | a drive that may not push: its effort limit is zero |
/// | `file` | everything else that loading the files told |
std::vector<Problem> checkScene(const Scene& scene);
/// Of these what tells how a run will end, quickly found: robots that fall over, steps too long (kinds base and step).
std::vector<Problem> checkOutlook(const Scene& scene);

/// Two shapes inside each other, by their indices in Model::shapes().
struct ShapeOverlap {
  int shape_1 = 0, shape_2 = 0;
  double depth = 0.0;  ///< [m] the least way that separates them
};

/// Of all pairs that may collide, those that overlap by more than the rounding of decimal digits (1e-10 m); deepest first.
std::vector<ShapeOverlap> findOverlaps(const Model& model, const Eigen::VectorXd& q);

}  // namespace rigor
