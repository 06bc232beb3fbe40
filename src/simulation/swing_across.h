// How fast springs between points swing across their lines, against how long a step is.
//
// Across its line a stretched spring pulls back with s = k x/d per metre (x its stretch, d the distance of its points). Springs between
// the same two links pull together: K = Σ s P on the velocities of their points, P the plane across each line. With the mobility W of
// the two links (12 × 12: J M⁻¹ Jᵀ of both twists), a step of h follows them while h² times the largest eigenvalue of W K is at most 1.
//
// Joints and what hangs on a link only make it harder to move, so W of a point is at most 1/m + r²/I of its link alone, r from the
// centre of mass, I the least moment of inertia. That bound is a number of the model: nothing is solved while it is enough.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "dynamics/kinematics.h"
#include "dynamics/mass_factors.h"
#include "rigor/model.h"

namespace rigor {

class SwingAcross {
 public:
  using Matrix12 = Eigen::Matrix<double, 12, 12>;

  explicit SwingAcross(const Model& model);

  /// Springs between the same two links; whatever moves as it is told, and the world, is one and the same.
  struct Group {
    int link[2];               ///< kWorld: of those that do not answer
    std::vector<int> springs;  ///< of the model, ascending
  };
  const std::vector<Group>& groups() const { return groups_; }

  void moveTo(const Eigen::VectorXd& q);
  /// The largest eigenvalue of W K of a group at the pose is no more than this [1/s²].
  double boundOf(int number) const { return bound_[number]; }
  /// That eigenvalue, or up to 0.3 % more; 0 where the bound tells that it is not above the limit [1/s²]. The first one that must be
  /// solved for at a pose factors the mass matrix.
  double eigenvalueAbove(double limit, int number);

  std::int64_t factorings() const { return factorings_; }  ///< of the mass matrix so far

 private:
  struct End {
    int link = kWorld;      ///< where it is; also of bodies that move as they are told
    Vec3<double> point;     ///< in the link, or in the world
    double mobility = 0.0;  ///< [1/kg] most; 0: it does not answer
  };
  struct Spring {
    End end[2];
    double stiffness, length;
    Vec3<double> place[2];  ///< of its ends, at the pose
    double across = 0.0;    ///< k x/d there; 0: it is not stretched
  };
  Vec3<double> placeOf(const End& end) const;
  void factor();
  double solve(const Group& group);
  Matrix12 mobilityOf(const Group& group, const Vec3<double>& about) const;   ///< W of twists about a point
  Matrix12 stiffnessOf(const Group& group, const Vec3<double>& about) const;  ///< K

  const Topology topology_;
  const Parameters<double> parameters_;
  std::vector<Spring> springs_;
  std::vector<Group> groups_;
  std::vector<double> bound_;  ///< [groups]
  Kinematics<double> kin_;
  std::vector<Inertia<double>> inertias_;
  std::vector<double> diagonal_;  ///< [nv] of what the mass matrix has besides the links
  MassFactors<double> mass_;
  bool factored_ = false;  ///< at this pose
  std::int64_t factorings_ = 0;
};

}  // namespace rigor
