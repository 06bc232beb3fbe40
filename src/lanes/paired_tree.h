// Dynamics from the state, two limbs at a time: the legs of a robot are built alike, so two of them run in the lanes of
// one instruction. The bits are those of the kernels one link at a time.
#pragma once

#include "dynamics/articulated.h"
#include "lanes/limbs.h"
#include "lanes/tree_part.h"

namespace rigor {

class PairedTree {
 public:
  PairedTree(const Topology& topology, const Parameters<double>& parameters);

  bool hasLimbs() const { return !limbs_.empty(); }

  /// acceleration = M⁻¹ (tau − c), M with armature. [nv]
  void forwardDynamics(const double* q, const double* v, const double* tau, double* acceleration);
  /// tau = M a + c, M with armature. [nv]
  void inverseDynamics(const double* q, const double* v, const double* a, double* tau);
  /// M with armature [nv × nv]; entries of freedoms that share no chain are not written.
  void massMatrix(const double* q, double* M);
  /// Articulated factors of all freedoms but those of free roots, which go to `roots` [trees] (articulated.h).
  /// `S` and `factors` are in the model's numbering.
  void factorChains(const double* q, Motion<double>* S, ArticulatedFactors<double>& factors,
                    RootFactors<double>* roots);

  /// Where the last call placed a link, relative to O of its tree, and O.
  Transform<double> placement(int link) const;
  const Vec3<double>& origin(int tree) const { return trunk_.kin.origin[tree]; }

 private:
  struct Limb {
    TreePart<Pair> part;
    int parent;  ///< link of the trunk
  };
  /// One arrival at a link of the trunk on the way from the leaves to the root: a trunk link, or one lane of a limb.
  struct Arrival {
    int limb;   ///< −1: the trunk
    int index;  ///< trunk link or lane
  };

  /// A link of the model in its part.
  struct Place {
    int limb;  ///< −1: the trunk
    int link, lane;
  };

  void place(const double* q);
  /// Velocities, accelerations and forces of all parts; `a` null: without acceleration.
  void moveOutward(const double* v, const double* a);
  template <class T>
  void fillRows(const TreePart<T>& part, int trunk_link, int link, double* M) const;

  int nv_;
  TreePart<double> trunk_;
  std::vector<Limb> limbs_;
  std::vector<int> carriers_;      ///< trunk links with limbs
  std::vector<Arrival> arrivals_;  ///< last link of the model first
  std::vector<Place> places_;      ///< [links]
};

}  // namespace rigor
