// The kernels of the algorithms, compiled once for double.
#include "algorithms/aba_derivatives.h"
#include "algorithms/centroidal.h"
#include "algorithms/chain_inverse.h"
#include "algorithms/coriolis.h"
#include "algorithms/delassus_chains.h"
#include "algorithms/delassus_recursion.h"
#include "algorithms/force_derivatives.h"
#include "algorithms/mass_inverse.h"
#include "algorithms/rnea_derivatives.h"

namespace rigor {

using Scalar = double;

template void computeCoriolis(const Topology&, const Kinematics<Scalar>&, const std::vector<Inertia<Scalar>>&,
                              const Scalar*, CoriolisScratch<Scalar>&, Scalar*);
template MassCentre<Scalar> computeMassCentre(const Topology&, const Kinematics<Scalar>&,
                                              const std::vector<Inertia<Scalar>>&);
template void computeMomentumMap(const Topology&, const Kinematics<Scalar>&, std::vector<Inertia<Scalar>>&,
                                 const Vec3<Scalar>&, Force<Scalar>*);
template void invertMass(const Topology&, const Scalar*, const Scalar*, Scalar*);
template void computeRneaDerivatives(const Topology&, const Parameters<Scalar>&, const Kinematics<Scalar>&,
                                     const std::vector<Inertia<Scalar>>&, const Scalar*, const Scalar*,
                                     const RneaScratch<Scalar>&, bool, RneaDerivativeScratch<Scalar>&,
                                     const RneaDerivatives<Scalar>&);
template void solvePairs(const Topology&, const Scalar*, const Scalar*, const ColumnGroups&, const Scalar*,
                         const Scalar*, Scalar*, Scalar*, Scalar*);
template void addForceDerivative(const Topology&, const Motion<Scalar>*, int, const Vec3<Scalar>&, const Vec3<Scalar>&,
                                 const Vec3<Scalar>&, Scalar*);
template void invertMassOfChains(const Topology&, const Kinematics<Scalar>&, const ArticulatedFactors<Scalar>&,
                                 ChainInverseScratch<Scalar>&, Scalar*);
template void computeDelassusByChains(const Topology&, const Motion<Scalar>*, const Force<Scalar>*, const Scalar*,
                                      const ContactSides<Scalar>&, DelassusChainsScratch<Scalar>&, Scalar*);
template void computeDelassusByRecursion(const Topology&, const Kinematics<Scalar>&, const ArticulatedFactors<Scalar>&,
                                         const ContactSides<Scalar>&, DelassusRecursionScratch<Scalar>&, Scalar*);

}  // namespace rigor
