#include "algorithms/workspace.h"

#include "dynamics/crba.h"
#include "dynamics/jacobian.h"
#include "geometry/convert.h"

namespace rigor {

Workspace::Workspace(const Model& given) : model(given), paired(given.topology(), given.parameters()) {
  const Topology& topology = model.topology();
  kin.resize(topology);
  inertias.resize(topology.links);
  composite.resize(topology.links);
  rnea.resize(topology);
  aba.resize(topology);
  external.resize(topology.links);
  placements.assign(model.bodyCount(), Eigen::Isometry3d::Identity());
  for (Eigen::VectorXd* vector : {&zero, &torque, &rnea_torque, &bias, &gravity, &acceleration, &spring, &damper})
    *vector = Eigen::VectorXd::Zero(topology.nv);
}

Data::Data(const Model& model) : workspace_(std::make_unique<Workspace>(model)) {}
Data::~Data() = default;
Data::Data(const Data& other) : workspace_(std::make_unique<Workspace>(*other.workspace_)) {}
Data& Data::operator=(const Data& other) {
  if (this != &other) workspace_ = std::make_unique<Workspace>(*other.workspace_);  // it may have been moved from
  return *this;
}
Data::Data(Data&& other) noexcept = default;
Data& Data::operator=(Data&& other) noexcept = default;

void placeLinks(Workspace& work, VectorIn q) {
  const Topology& topology = work.model.topology();
  computeKinematics(topology, work.model.parameters(), q.data(), work.kin);
  computeInertias(topology, work.model.parameters(), work.kin, work.inertias);
}

const Force<double>* sumWrenches(Workspace& work, const Wrenches& wrenches) {
  if (wrenches.empty()) return nullptr;
  std::fill(work.external.begin(), work.external.end(), Force<double>{});
  for (const Input::Wrench& wrench : wrenches) {
    checkBody(work.model, wrench.body);
    if (!wrench.force.allFinite() || !wrench.torque.allFinite())
      throw Error("a wrench on body \"" + work.model.body(wrench.body).name + "\" is not finite",
                  "Every number of a wrench must be finite.");
    const BodyPlacement& placement = work.model.placements()[wrench.body];
    if (placement.link < 0) continue;
    const Transform<double>& X = work.kin.X_OL[placement.link];
    const Mat3<double> R = X.R * placement.X_LB.R;
    const Vec3<double> centre = X * (placement.X_LB * toVec3(work.model.body(wrench.body).mass.com));
    const Vec3<double> force = toVec3(wrench.force), torque = toVec3(wrench.torque);
    work.external[placement.link] +=
        wrench.in_world ? forceAt(centre, force, torque) : forceAt(centre, R * force, R * torque);
  }
  return work.external.data();
}

void packMass(Workspace& work) {
  const Topology& topology = work.model.topology();
  const std::vector<double>& armature = work.model.parameters().armature;
  work.packed.resize(topology.packed_size);
  work.composite = work.inertias;
  crba(topology, work.kin, work.composite, work.packed.data());
  for (int i = 0; i < topology.nv; ++i) work.packed[topology.row_start[i] + topology.dof_depth[i]] += armature[i];
}

void factorMass(Workspace& work) {
  packMass(work);
  work.inverse_D.resize(work.model.topology().nv);
  factorLtl(work.model.topology(), work.packed.data(), work.inverse_D.data());
}

void factorTree(Workspace& work) {
  work.articulated.resize(work.model.topology());
  factorArticulated(work.model.topology(), work.model.parameters().armature.data(), work.kin.S.data(), work.inertias,
                    work.articulated);
}

bool isDeeper(const Topology& topology, int mean_depth) { return topology.packed_size > mean_depth * topology.nv; }

}  // namespace rigor
