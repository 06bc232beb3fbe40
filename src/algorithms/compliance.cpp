// Public functions of operational space: the compliance kernel Υ, the extended compliance Ω and the compliance Λ of nodes (OS §V).
//
// Motions and forces of a tree are all about one point O here, so that the rigid transformations φ of OS are the identity and ψ(k, j)
// is what the freedoms between k and j take off a force: (1 − U Sᵀ/d) for each, from j up to the child of k.
#include <fmt/format.h>

#include <array>

#include "algorithms/workspace.h"
#include "geometry/convert.h"

namespace rigor {
namespace {

/// Six forces on a link: unit forces at a point, then unit torques.
using SixForces = std::array<Force<double>, 6>;

SixForces unitForces(const Vec3<double>& p) {
  const Vec3<double> none{}, x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};
  return {forceAt(p, x, none), forceAt(p, y, none), forceAt(p, z, none),
          forceAt(p, none, x), forceAt(p, none, y), forceAt(p, none, z)};
}

/// Where a point of a body is relative to O of its tree.
Vec3<double> placeOnLink(const Workspace& work, int body, const Vec3<double>& point) {
  const BodyPlacement& placement = work.model.placements()[body];
  const Vec3<double> p = placement.X_LB * point;
  return placement.link < 0 ? p : work.kin.X_OL[placement.link] * p;
}

/// ψ(parent, link) F: what arrives at the parent of a force on the link.
void passOn(const Workspace& work, int link, SixForces& forces) {
  const Topology& topology = work.model.topology();
  const int first = topology.v_index[link];
  for (Force<double>& F : forces)
    for (int j = first + topology.dofs[link] - 1; j >= first; --j)
      F -= (work.articulated.inverse_d[j] * dot(work.kin.S[j], F)) * work.articulated.U[j];
}

/// F_iᵀ Υ F_j
Matrix6d blockOf(const SixForces& forces_i, const Mobility<double>& kernel, const SixForces& forces_j) {
  Matrix6d block;
  for (int c = 0; c < 6; ++c) {
    const Motion<double> motion = kernel * forces_j[c];
    for (int r = 0; r < 6; ++r) block(r, c) = dot(motion, forces_i[r]);
  }
  return block;
}

/// OS eq. 50 over all links, from the roots on.
void fillKernel(Workspace& work) {
  const Topology& topology = work.model.topology();
  work.kernel.resize(topology.links);
  for (int link = 0; link < topology.links; ++link) {
    const int first = topology.v_index[link];
    Mobility<double> kernel = topology.parent[link] < 0 ? Mobility<double>{} : work.kernel[topology.parent[link]];
    for (int j = first; j < first + topology.dofs[link]; ++j)
      passFreedom(kernel, work.kin.S[j], work.articulated.U[j], work.articulated.inverse_d[j]);
    work.kernel[link] = kernel;
  }
}

Workspace& enterCompliance(const Model& model, Data& data, VectorIn q) {
  Workspace& work = enter(model, data, q);
  placeLinks(work, q);
  factorTree(work);
  return work;
}

void checkNode(const Model& model, const Node& node, std::size_t index) {
  const Place where{{}, 0, fmt::format("node {}", index)};
  if (node.body < 0 || node.body >= model.bodyCount())
    throw Error(where, fmt::format("there is no body {}, the model has {}", node.body, model.bodyCount()),
                "Use Model::findBody; the world has no node.");
  if (!node.point.allFinite()) throw Error(where, "its point is not finite", "Give three finite numbers in metres.");
}

}  // namespace

const std::vector<Matrix6d>& computeComplianceKernel(const Model& model, Data& data, VectorIn q) {
  Workspace& work = enterCompliance(model, data, q);
  fillKernel(work);
  work.compliance_kernel.resize(model.bodyCount());
  for (int body = 0; body < model.bodyCount(); ++body) {
    const int link = model.placements()[body].link;
    const SixForces forces = unitForces(placeOnLink(work, body, {}));
    work.compliance_kernel[body] = link < 0 ? Matrix6d(Matrix6d::Zero()) : blockOf(forces, work.kernel[link], forces);
  }
  return work.compliance_kernel;
}

Matrix6d computeExtendedCompliance(const Model& model, Data& data, VectorIn q, int body_i, int body_j) {
  checkBody(model, body_i);
  checkBody(model, body_j);
  Workspace& work = enterCompliance(model, data, q);
  fillKernel(work);
  SixForces forces_i = unitForces(placeOnLink(work, body_i, {}));
  SixForces forces_j = unitForces(placeOnLink(work, body_j, {}));
  int i = model.placements()[body_i].link, j = model.placements()[body_j].link;
  const std::vector<int>& parent = model.topology().parent;
  while (i != j && i >= 0 && j >= 0) {  // the later link is no ancestor of the other: parents come first
    if (i > j)
      passOn(work, i, forces_i), i = parent[i];
    else
      passOn(work, j, forces_j), j = parent[j];
  }
  if (i != j || i < 0) return Matrix6d::Zero();
  return blockOf(forces_i, work.kernel[i], forces_j);
}

const Eigen::MatrixXd& computeOperationalSpaceCompliance(const Model& model, Data& data, VectorIn q,
                                                         const std::vector<Node>& nodes) {
  Workspace& work = enterCompliance(model, data, q);
  const Mat3<double> axes = Mat3<double>::identity();
  work.sides.clear(2 * static_cast<int>(nodes.size()));  // forces and torques of a node are two contacts of three rows
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    checkNode(model, nodes[n], n);
    const int link = model.placements()[nodes[n].body].link, contact = 2 * static_cast<int>(n);
    work.sides.add(contact, link, placeOnLink(work, nodes[n].body, toVec3(nodes[n].point)), axes, 1.0);
    work.sides.addTorques(contact + 1, link, axes);
  }
  work.compliance.resize(6 * nodes.size(), 6 * nodes.size());
  work.delassus_recursion.resize(model.topology());
  computeDelassusByRecursion(model.topology(), work.kin, work.articulated, work.sides, work.delassus_recursion,
                             work.compliance.data());
  return work.compliance;
}

}  // namespace rigor
