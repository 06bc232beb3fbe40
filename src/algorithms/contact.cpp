// Public functions on contacts: the Delassus matrix and its product.
#include <fmt/format.h>

#include "algorithms/workspace.h"
#include "geometry/convert.h"

namespace rigor {
namespace {

void checkContact(const Model& model, const ContactFrame& contact, std::size_t index) {
  const auto refuse = [&](const std::string& problem, const char* remedy) {
    throw Error(Place{{}, 0, fmt::format("contact {}", index)}, problem, remedy);
  };
  for (int body : {contact.body, contact.other})
    if (body < kWorld || body >= model.bodyCount())
      refuse(fmt::format("there is no body {}, the model has {}", body, model.bodyCount()), "Use Model::findBody.");
  if (contact.body == kWorld)
    refuse("its first body is the world", "Name the moving body first; `other` may be kWorld.");
  if (!contact.point.allFinite() || !contact.axes.allFinite())
    refuse("its point or its axes are not finite", "Every number of a contact frame must be finite.");
}

/// The ends of all contacts; `placement(link)` and `origin(tree)` tell where the links are (kinematics.h).
template <class Placement, class Origin>
void placeContacts(Workspace& work, const std::vector<ContactFrame>& contacts, const Placement& placement_of,
                   const Origin& origin) {
  const Topology& topology = work.model.topology();
  work.sides.clear(static_cast<int>(contacts.size()));
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const ContactFrame& contact = contacts[c];
    checkContact(work.model, contact, c);
    const BodyPlacement& placement = work.model.placements()[contact.body];
    const int link = placement.link, index = static_cast<int>(c);
    const int other = contact.other == kWorld ? kWorld : work.model.placements()[contact.other].link;
    if (link == other) continue;  // both ends move together: no velocity between them
    const Mat3<double> axes = toMat3(contact.axes);
    Vec3<double> p = placement.X_LB * toVec3(contact.point);
    if (link >= 0) {
      p = placement_of(link) * p;
      work.sides.add(index, link, p, axes, 1.0);
      p += origin(topology.tree[link]);
    }
    if (other >= 0) work.sides.add(index, other, p - origin(topology.tree[other]), axes, -1.0);
  }
}

void placeContacts(Workspace& work, const std::vector<ContactFrame>& contacts) {
  placeContacts(
      work, contacts, [&](int link) -> const Transform<double>& { return work.kin.X_OL[link]; },
      [&](int tree) -> const Vec3<double>& { return work.kin.origin[tree]; });
}

void fillByChains(Workspace& work, VectorIn q, const std::vector<ContactFrame>& contacts) {
  const Topology& topology = work.model.topology();
  work.articulated.resize(topology);
  work.delassus_chains.root.resize(topology.trees);
  work.paired.factorChains(q.data(), work.kin.S.data(), work.articulated, work.delassus_chains.root.data());
  placeContacts(
      work, contacts, [&](int link) { return work.paired.placement(link); },
      [&](int tree) -> const Vec3<double>& { return work.paired.origin(tree); });
  computeDelassusByChains(topology, work.kin.S.data(), work.articulated.U.data(), work.articulated.inverse_d.data(),
                          work.sides, work.delassus_chains, work.delassus.data());
}

void fillByRecursion(Workspace& work, VectorIn q, const std::vector<ContactFrame>& contacts) {
  const Topology& topology = work.model.topology();
  placeLinks(work, q);
  placeContacts(work, contacts);
  factorTree(work);
  work.delassus_recursion.resize(topology);
  computeDelassusByRecursion(topology, work.kin, work.articulated, work.sides, work.delassus_recursion,
                             work.delassus.data());
}

}  // namespace

const Eigen::MatrixXd& computeDelassus(const Model& model, Data& data, VectorIn q,
                                       const std::vector<ContactFrame>& contacts, DelassusMethod method) {
  Workspace& work = enter(model, data, q);
  work.delassus.resize(3 * contacts.size(), 3 * contacts.size());
  constexpr int kCrossover = 20;  // a chain of 40 links (docs/results.md)
  if (method == DelassusMethod::kAuto)
    method = isDeeper(model.topology(), kCrossover) ? DelassusMethod::kRecursion : DelassusMethod::kChains;
  if (method == DelassusMethod::kChains) fillByChains(work, q, contacts);
  if (method == DelassusMethod::kRecursion) fillByRecursion(work, q, contacts);
  return work.delassus;
}

const Eigen::VectorXd& applyDelassus(const Model& model, Data& data, VectorIn q,
                                     const std::vector<ContactFrame>& contacts, VectorIn x) {
  Workspace& work = enter(model, data, q);
  const int rows = 3 * static_cast<int>(contacts.size());
  if (x.size() != rows)
    throw Error(
        fmt::format("x has {} numbers, expected {} = 3 of each of {} contacts", x.size(), rows, contacts.size()),
        "Three impulses per contact, in the order of its axes.");
  if (!x.allFinite()) throw Error("an impulse of x is not finite", "Every number must be finite.");
  const Topology& topology = model.topology();
  placeLinks(work, q);
  placeContacts(work, contacts);
  factorTree(work);

  std::fill(work.external.begin(), work.external.end(), Force<double>{});
  for (const ContactSide<double>& side : work.sides.list)
    for (int r = 0; r < 3; ++r) work.external[side.link] += x[3 * side.contact + r] * side.F[r];
  respond(topology, work.kin, work.articulated, work.external.data(), work.aba.u.data(), work.aba.A.data(),
          work.torque.data());
  work.delassus_product.setZero(rows);
  for (const ContactSide<double>& side : work.sides.list)
    for (int r = 0; r < 3; ++r) work.delassus_product[3 * side.contact + r] += dot(work.aba.A[side.link], side.F[r]);
  return work.delassus_product;
}

}  // namespace rigor
