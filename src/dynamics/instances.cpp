// The kernels of the step, compiled once for double.
#include "dynamics/aba.h"
#include "dynamics/articulated.h"
#include "dynamics/crba.h"
#include "dynamics/energy.h"
#include "dynamics/integrate.h"
#include "dynamics/jacobian.h"
#include "dynamics/mass_factors.h"
#include "dynamics/passive.h"
#include "dynamics/rnea.h"
#include "dynamics/stride.h"

namespace rigor {

using Scalar = double;

template void computeKinematics(const Trees&, const Parameters<Scalar>&, const Scalar*, Kinematics<Scalar>&);
template void computeInertias(const Topology&, const Parameters<Scalar>&, const Kinematics<Scalar>&,
                              std::vector<Inertia<Scalar>>&);
template void computeVelocities(const Trees&, const Kinematics<Scalar>&, const Scalar*, std::vector<Motion<Scalar>>&);
template void rnea(const Trees&, const Parameters<Scalar>&, const Kinematics<Scalar>&,
                   const std::vector<Inertia<Scalar>>&, const Scalar*, const Scalar*, const Force<Scalar>*,
                   RneaScratch<Scalar>&, Scalar*);
template void addAcceleration(const Topology&, const Kinematics<Scalar>&, const std::vector<Inertia<Scalar>>&,
                              const Scalar*, std::vector<Motion<Scalar>>&, RneaScratch<Scalar>&);
template void sumTorques(const Trees&, const Kinematics<Scalar>&, std::vector<Force<Scalar>>&, Scalar*);
template void placeAndMoveOutward(const Trees&, const Parameters<Scalar>&, const Kinematics<Scalar>&, const Scalar*,
                                  const Force<Scalar>*, std::vector<Inertia<Scalar>>&, RneaScratch<Scalar>&);
template void rneaOfKick(const Trees&, const Kinematics<Scalar>&, const std::vector<Inertia<Scalar>>&,
                         const std::vector<Force<Scalar>>&, const Scalar&, const Scalar*, const Force<Scalar>*,
                         RneaScratch<Scalar>&, Scalar*);
template void crba(const Trees&, const Kinematics<Scalar>&, std::vector<Inertia<Scalar>>&, Scalar*);
template void factorLtl(const Trees&, Scalar*, Scalar*);
template void solveLTranspose(const Trees&, const Scalar*, Scalar*);
template void solveL(const Trees&, const Scalar*, Scalar*);
template void solveChainLTranspose<1>(const Topology&, const Scalar*, int, Scalar*);
template void solveChainLTranspose<3>(const Topology&, const Scalar*, int, Scalar*);
template class MassFactors<Scalar>;
template void solveMass(const Topology&, const Scalar*, const Scalar*, Scalar*);
template void aba(const Topology&, const Parameters<Scalar>&, const Kinematics<Scalar>&,
                  const std::vector<Inertia<Scalar>>&, const Scalar*, const Scalar*, const Force<Scalar>*,
                  AbaScratch<Scalar>&, Scalar*);
template void placeCentres(const Trees&, const Parameters<Scalar>&, const Kinematics<Scalar>&,
                           std::vector<Stride<Scalar>>&);
template void computeStrides(const Trees&, const Parameters<Scalar>&, const Kinematics<Scalar>&, const Scalar*,
                             const Scalar&, std::vector<Stride<Scalar>>&);
template void integrate(const Trees&, const Scalar*, const Scalar*, Scalar, Scalar*);
template void difference(const Trees&, const Scalar*, const Scalar*, Scalar*);
template void pullBackColumns(const Trees&, const Motion<Scalar>*, const Scalar*, Scalar, Motion<Scalar>*);
template EnergyMomentum<Scalar> computeEnergy(const Trees&, const Parameters<Scalar>&, const Kinematics<Scalar>&,
                                              const std::vector<Inertia<Scalar>>&, const Scalar*,
                                              std::vector<Motion<Scalar>>&);
template void jacobianRows<1>(const Topology&, const Motion<Scalar>*, int, const Force<Scalar>*, Scalar*);
template void jacobianRows<3>(const Topology&, const Motion<Scalar>*, int, const Force<Scalar>*, Scalar*);
template void jacobianRows<4>(const Topology&, const Motion<Scalar>*, int, const Force<Scalar>*, Scalar*);
template void jacobianRows<6>(const Topology&, const Motion<Scalar>*, int, const Force<Scalar>*, Scalar*);
template void factorArticulated(const Trees&, const Scalar*, const Motion<Scalar>*, const std::vector<Inertia<Scalar>>&,
                                ArticulatedFactors<Scalar>&);
template void respond(const Topology&, const Kinematics<Scalar>&, const ArticulatedFactors<Scalar>&, Force<Scalar>*,
                      Scalar*, Motion<Scalar>*, Scalar*);
template void invertMassByResponse(const Topology&, const Kinematics<Scalar>&, const ArticulatedFactors<Scalar>&,
                                   Motion<Scalar>*, Scalar*, Scalar*);
template void factorChains(const Topology&, const Parameters<Scalar>&, const Kinematics<Scalar>&,
                           const std::vector<Inertia<Scalar>>&, AbaScratch<Scalar>&, RootFactors<Scalar>*);
template void computeSprings(const Topology&, const Parameters<Scalar>&, const Scalar*, Scalar*);
template Scalar computeSpringPotential(const Topology&, const Parameters<Scalar>&, const Scalar*, Scalar*);

}  // namespace rigor
