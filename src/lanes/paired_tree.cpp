#include "lanes/paired_tree.h"

#include <algorithm>

#include "dynamics/crba.h"

namespace rigor {
namespace {

TreePart<double> makeTrunk(const Topology& topology, const Parameters<double>& parameters, const LimbSplit& split,
                           std::vector<int>& number) {
  std::vector<TreePart<double>::Links> links;
  std::vector<int> parent;
  for (const int link : split.trunk) {
    number[link] = static_cast<int>(links.size());
    links.push_back({link});
    parent.push_back(topology.parent[link] < 0 ? -1 : number[topology.parent[link]]);
  }
  return TreePart<double>(topology, parameters, links, std::move(parent), 0);
}

TreePart<Pair> makeLimb(const Topology& topology, const Parameters<double>& parameters, const LimbPair& pair,
                        std::vector<int>& number) {
  std::vector<int> parent{-1};
  for (const std::array<int, 2>& links : pair.links) {
    const bool root = parent.size() == 1;
    parent.push_back(root ? 0 : number[topology.parent[links[0]]]);
    number[links[0]] = number[links[1]] = static_cast<int>(parent.size()) - 1;
  }
  return TreePart<Pair>(topology, parameters, pair.links, std::move(parent), 1);
}

}  // namespace

PairedTree::PairedTree(const Topology& topology, const Parameters<double>& parameters)
    : nv_(topology.nv), trunk_([&] {
        std::vector<int> number(topology.links, -1);
        return makeTrunk(topology, parameters, splitLimbs(topology), number);
      }()) {
  const LimbSplit split = splitLimbs(topology);
  std::vector<int> number(topology.links, -1);
  std::vector<std::pair<int, Arrival>> order;
  places_.resize(topology.links);
  for (std::size_t k = 0; k < split.trunk.size(); ++k) {
    number[split.trunk[k]] = static_cast<int>(k);
    order.push_back({split.trunk[k], {-1, static_cast<int>(k)}});
    places_[split.trunk[k]] = {-1, static_cast<int>(k), 0};
  }
  for (const LimbPair& pair : split.pairs) {
    const int limb = static_cast<int>(limbs_.size()), parent = number[pair.parent];
    limbs_.push_back({makeLimb(topology, parameters, pair, number), parent});
    for (int lane = 0; lane < 2; ++lane) {
      order.push_back({pair.links[0][lane], {limb, lane}});
      for (const std::array<int, 2>& links : pair.links) places_[links[lane]] = {limb, number[links[lane]], lane};
    }
    if (std::find(carriers_.begin(), carriers_.end(), parent) == carriers_.end()) carriers_.push_back(parent);
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [link, arrival] : order) arrivals_.push_back(arrival);

  // a link with limbs starts from its own inertia (forwardDynamics); no child of it is the first to arrive
  for (const int carrier : carriers_) {
    trunk_.scratch.leaf[carrier] = 0;
    for (int link = 0; link < trunk_.topology.links; ++link)
      if (trunk_.topology.parent[link] == carrier) trunk_.scratch.last_child[link] = 0;
  }
}

void PairedTree::place(const double* q) {
  trunk_.loadPosition(q);
  trunk_.place();
  for (Limb& limb : limbs_) {
    limb.part.loadPosition(q);
    limb.part.kin.X_OL[0] = broadcastTo<Pair>(trunk_.kin.X_OL[limb.parent]);
    limb.part.place();
  }
}

void PairedTree::moveOutward(const double* v, const double* a) {
  const auto move = [&](auto& part) {
    part.loadVelocity(v, part.v);
    if (a) part.loadVelocity(a, part.in);
    rneaOutward(part.topology, part.parameters, part.kin, part.inertias, part.v.data(), a ? part.in.data() : nullptr,
                nullptr, part.scratch.bias);
  };
  move(trunk_);
  for (Limb& limb : limbs_) {
    RneaScratch<Pair>& motion = limb.part.scratch.bias;
    motion.V[0] = broadcastTo<Pair>(trunk_.scratch.bias.V[limb.parent]);
    motion.A[0] = broadcastTo<Pair>(trunk_.scratch.bias.A[limb.parent]);
    motion.f[0] = {};
    move(limb.part);
  }
}

void PairedTree::forwardDynamics(const double* q, const double* v, const double* tau, double* acceleration) {
  place(q);
  moveOutward(v, nullptr);

  const auto inward = [](auto& part, int link) {
    abaInward(part.topology, part.parameters, part.kin, part.inertias, part.in.data(), link, part.scratch,
              part.out.data());
  };
  trunk_.loadVelocity(tau, trunk_.in);
  for (const int carrier : carriers_) trunk_.scratch.I[carrier] = makeArticulated(trunk_.inertias[carrier]);
  for (Limb& limb : limbs_) {
    limb.part.loadVelocity(tau, limb.part.in);
    for (int link = limb.part.topology.links - 1; link > 0; --link) inward(limb.part, link);
  }
  for (const Arrival& arrival : arrivals_) {
    if (arrival.limb < 0) {
      inward(trunk_, arrival.index);
      continue;
    }
    const Limb& limb = limbs_[arrival.limb];
    trunk_.scratch.bias.f[limb.parent] += laneOf(limb.part.scratch.bias.f[0], arrival.index);
    trunk_.scratch.I[limb.parent] += laneOf(limb.part.scratch.I[0], arrival.index);
  }

  abaOutward(trunk_.topology, trunk_.kin, trunk_.scratch, trunk_.out.data());
  trunk_.storeResult(acceleration);
  for (Limb& limb : limbs_) {
    limb.part.scratch.A[0] = broadcastTo<Pair>(trunk_.scratch.A[limb.parent]);
    abaOutward(limb.part.topology, limb.part.kin, limb.part.scratch, limb.part.out.data());
    limb.part.storeResult(acceleration);
  }
}

void PairedTree::factorChains(const double* q, Motion<double>* S, ArticulatedFactors<double>& factors,
                              RootFactors<double>* roots) {
  place(q);
  const auto store = [&](const auto& part) {
    for (int j = 0; j < part.topology.nv; ++j)
      for (int lane = 0; lane < static_cast<int>(part.v_from.size()); ++lane) {
        const int to = part.v_from[lane][j];
        S[to] = laneOf(part.kin.S[j], lane);
        factors.U[to] = laneOf(part.scratch.U[j], lane);
        factors.inverse_d[to] = laneOf(part.scratch.inverse_d[j], lane);
      }
  };
  for (const int carrier : carriers_) trunk_.scratch.I[carrier] = makeArticulated(trunk_.inertias[carrier]);
  for (Limb& limb : limbs_) {
    TreePart<Pair>& part = limb.part;
    rigor::factorChains(part.topology, part.parameters, part.kin, part.inertias, part.scratch,
                        static_cast<RootFactors<Pair>*>(nullptr));
    store(part);
  }
  for (const Arrival& arrival : arrivals_) {
    if (arrival.limb < 0) {
      factorInward(trunk_.topology, trunk_.parameters, trunk_.kin, trunk_.inertias, arrival.index, trunk_.scratch,
                   roots);
      continue;
    }
    const Limb& limb = limbs_[arrival.limb];
    trunk_.scratch.I[limb.parent] += laneOf(limb.part.scratch.I[0], arrival.index);
  }
  store(trunk_);
}

Transform<double> PairedTree::placement(int link) const {
  const Place& at = places_[link];
  return at.limb < 0 ? trunk_.kin.X_OL[at.link] : laneOf(limbs_[at.limb].part.kin.X_OL[at.link], at.lane);
}

void PairedTree::inverseDynamics(const double* q, const double* v, const double* a, double* tau) {
  place(q);
  moveOutward(v, a);

  const auto inward = [](auto& part, int link) {
    sumTorque(part.topology, part.kin, link, part.scratch.bias.f, part.out.data());
  };
  for (Limb& limb : limbs_)
    for (int link = limb.part.topology.links - 1; link > 0; --link) inward(limb.part, link);
  for (const Arrival& arrival : arrivals_) {
    if (arrival.limb < 0) {
      inward(trunk_, arrival.index);
      continue;
    }
    const Limb& limb = limbs_[arrival.limb];
    trunk_.scratch.bias.f[limb.parent] += laneOf(limb.part.scratch.bias.f[0], arrival.index);
  }

  const auto store = [&](auto& part) {
    for (int j = 0; j < part.topology.nv; ++j) part.out[j] += part.parameters.armature[j] * part.in[j];
    part.storeResult(tau);
  };
  store(trunk_);
  for (Limb& limb : limbs_) store(limb.part);
}

/// Rows of one link's freedoms, towards the root: those of its own part, then those of the trunk from `trunk_link` on.
template <class T>
void PairedTree::fillRows(const TreePart<T>& part, int trunk_link, int link, double* M) const {
  const Topology& topology = part.topology;
  const int* chain = topology.chain.data() + topology.chain_start[link];
  const auto put = [&](int row, int column, double value) { M[row + nv_ * column] = M[column + nv_ * row] = value; };
  for (int j = topology.v_index[link]; j < topology.v_index[link] + topology.dofs[link]; ++j) {
    const Force<T> F = part.inertias[link] * part.kin.S[j];  // momentum of the subtree per unit of v_j
    for (int k = 0; k < topology.dof_depth[j]; ++k) {
      const T value = dot(part.kin.S[chain[k]], F);
      for (int lane = 0; lane < kLanesOf<T>; ++lane)
        put(part.v_from[lane][j], part.v_from[lane][chain[k]], laneOf(value, lane));
    }
    const T own = dot(part.kin.S[j], F) + part.parameters.armature[j];
    for (int lane = 0; lane < kLanesOf<T>; ++lane) put(part.v_from[lane][j], part.v_from[lane][j], laneOf(own, lane));
    if (trunk_link < 0) continue;
    const auto couple = [&](int freedom, const T& value) {
      for (int lane = 0; lane < kLanesOf<T>; ++lane)
        put(part.v_from[lane][j], trunk_.v_from[0][freedom], laneOf(value, lane));
    };
    const int* ancestors = trunk_.topology.chain.data() + trunk_.topology.chain_start[trunk_link];
    int k = 0;
    if (trunk_.topology.free_base[trunk_link]) {  // unit columns: F itself couples to the base
      couple(ancestors[0], F.linear.x), couple(ancestors[1], F.linear.y), couple(ancestors[2], F.linear.z);
      for (k = 3; k < 6; ++k) couple(ancestors[k], dot(broadcastTo<T>(trunk_.kin.S[ancestors[k]].angular), F.angular));
    }
    for (; k < trunk_.topology.chain_length[trunk_link]; ++k)
      couple(ancestors[k], dot(broadcastTo<T>(trunk_.kin.S[ancestors[k]]), F));
  }
}

// Inertias of links grow to those of their subtrees; place() makes them anew.
void PairedTree::massMatrix(const double* q, double* M) {
  place(q);
  for (Limb& limb : limbs_) {
    TreePart<Pair>& part = limb.part;
    for (int link = part.topology.links - 1; link > 0; --link) {
      fillRows(part, limb.parent, link, M);
      if (link > 1) part.inertias[part.topology.parent[link]] += part.inertias[link];
    }
  }
  for (const Arrival& arrival : arrivals_) {
    if (arrival.limb >= 0) {
      const Limb& limb = limbs_[arrival.limb];
      trunk_.inertias[limb.parent] += laneOf(limb.part.inertias[1], arrival.index);
      continue;
    }
    fillRows(trunk_, -1, arrival.index, M);
    const int parent = trunk_.topology.parent[arrival.index];
    if (parent >= 0) trunk_.inertias[parent] += trunk_.inertias[arrival.index];
  }
}

}  // namespace rigor
