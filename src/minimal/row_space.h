// What the rows of constraints are written on. A row lives on the chain of its link: on all freedoms between it and the root. Where
// trees are long chains that is too much: there a row of a contact, loop or spring is the force on the link itself, six numbers
// that meet its motion V, and a row of a joint is one number. Vectors that such rows meet are extended,
//
//   (v, V₁, V₂, …)   V_i = V_parent + S x of every link of those trees, by the columns S that the rows belong to
//
// about a point of each link (two_pose_mass.h), and forces on links become torques where the factors of A are solved with. A step in two poses can do without the chains
// (contact/forest.h); one of minimal coordinates has rows of the end beside factors of the start, and keeps them.
#pragma once

#include <vector>

#include "math/spatial.h"
#include "minimal/part.h"

namespace rigor {

struct RowSpace {
  static constexpr int kSpace = 6;

  std::vector<char> on_links;  ///< [trees] rows are on links
  std::vector<int> motion;     ///< [links] where V of the link begins in an extended vector; −1: rows are on its chain
  std::vector<int> lists;   ///< entries that rows meet: the chains of the topology, then those of links, then freedoms
  int size = 0;             ///< of an extended vector
  int first_freedom = 0;    ///< into `lists`: freedom j alone is at first_freedom + j
  double dense_rows = 0.0;  ///< see TimeStepperOptions

  /// Rows are on links where freedoms have more than `from_depth` above them, themselves included, in the mean over a tree.
  void prepare(const StepTables& tables, double from_depth);

  bool extended() const { return first_freedom > 0; }
  bool isOnLinks(const Topology& topology, int link) const { return extended() && on_links[topology.tree[link]]; }

  /// v extended by columns S [nv] about the points of links, which are `shift` [links] from those of their parents, for the trees of
  /// a part; v itself where all rows are on chains.
  const double* extend(const Part& part, const Motion<double>* S, const Vec3<double>* shift, const double* v,
                       std::vector<double>& out) const;
};

/// F of kRows rows, about O, at the six entries of a link, about its point p.
template <int kRows>
void writeLinkRows(const Force<double>* F, const Vec3<double>& p, double* rows) {
  for (int r = 0; r < kRows; ++r) {
    const Vec3<double>& f = F[r].linear;
    const Vec3<double> torque = F[r].angular - cross(p, f);
    const double entries[RowSpace::kSpace] = {f.x, f.y, f.z, torque.x, torque.y, torque.z};
    for (int k = 0; k < RowSpace::kSpace; ++k) rows[k * kRows + r] = entries[k];
  }
}

}  // namespace rigor
