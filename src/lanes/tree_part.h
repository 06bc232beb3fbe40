// A part of a tree with a numbering of its own: the trunk in doubles, or two limbs in the lanes of pairs.
//
// Link 0 of a limb stands for the link of the trunk that it hangs on: it is given (topology.h), not computed.
#pragma once

#include "dynamics/aba.h"
#include "dynamics/side_by_side.h"
#include "math/pair.h"
#include "model/make_topology.h"

namespace rigor {

template <class T>
inline constexpr int kLanesOf = 1;
template <>
inline constexpr int kLanesOf<Pair> = 2;

template <class T>
ArticulatedInertia<double> laneOf(const ArticulatedInertia<T>& I, int lane) {
  return {laneOf(I.linear, lane),
          {laneOf(I.coupling.x, lane), laneOf(I.coupling.y, lane), laneOf(I.coupling.z, lane)},
          laneOf(I.angular, lane)};
}

inline void setLane(double& x, int, double value) { x = value; }
inline void setLane(Pair& x, int lane, double value) { x.setLane(lane, value); }
template <class T>
void setLane(Vec3<T>& a, int lane, const Vec3<double>& value) {
  setLane(a.x, lane, value.x);
  setLane(a.y, lane, value.y);
  setLane(a.z, lane, value.z);
}
template <class T>
void setLane(Sym3<T>& a, int lane, const Sym3<double>& value) {
  setLane(a.xx, lane, value.xx), setLane(a.yy, lane, value.yy), setLane(a.zz, lane, value.zz);
  setLane(a.xy, lane, value.xy), setLane(a.xz, lane, value.xz), setLane(a.yz, lane, value.yz);
}

template <class T>
Vec3<T> broadcastTo(const Vec3<double>& a) {
  return {T(a.x), T(a.y), T(a.z)};
}
template <class T>
Motion<T> broadcastTo(const Motion<double>& a) {
  return {broadcastTo<T>(a.linear), broadcastTo<T>(a.angular)};
}
template <class T>
Transform<T> broadcastTo(const Transform<double>& X) {
  return {{broadcastTo<T>(X.R.x), broadcastTo<T>(X.R.y), broadcastTo<T>(X.R.z)}, broadcastTo<T>(X.p)};
}

template <class T>
struct TreePart {
  using Links = std::array<int, kLanesOf<T>>;  ///< counterparts in the model

  Topology topology;
  Parameters<T> parameters;                          ///< those that the kernels of forces read
  std::array<std::vector<int>, kLanesOf<T>> q_from;  ///< [nq] coordinates of the model
  std::array<std::vector<int>, kLanesOf<T>> v_from;  ///< [nv]

  Kinematics<T> kin;
  std::vector<Inertia<T>> inertias;  ///< [links]
  AbaScratch<T> scratch;
  std::vector<T> q, v, in, out;

  /// `links` [links without the given ones] with the part's `parent` numbers for all.
  TreePart(const Topology& whole, const Parameters<double>& numbers, const std::vector<Links>& links,
           std::vector<int> parent, int given);

  void loadPosition(const double* from) {
    for (int k = 0; k < topology.nq; ++k)
      for (int lane = 0; lane < kLanesOf<T>; ++lane) setLane(q[k], lane, from[q_from[lane][k]]);
  }
  void loadVelocity(const double* from, std::vector<T>& to) {
    for (int k = 0; k < topology.nv; ++k)
      for (int lane = 0; lane < kLanesOf<T>; ++lane) setLane(to[k], lane, from[v_from[lane][k]]);
  }
  void storeResult(double* to) const {
    for (int k = 0; k < topology.nv; ++k)
      for (int lane = 0; lane < kLanesOf<T>; ++lane) to[v_from[lane][k]] = laneOf(out[k], lane);
  }
  void place() {
    computeKinematics(topology, parameters, q.data(), kin);
    computeInertias(topology, parameters, kin, inertias);
  }
};

template <class T>
TreePart<T>::TreePart(const Topology& whole, const Parameters<double>& numbers, const std::vector<Links>& links,
                      std::vector<int> parent, int given) {
  std::vector<JointType> joint(given, kFixed);
  for (const Links& link : links) joint.push_back(whole.joint[link[0]]);
  topology = makeTopology(std::move(parent), std::move(joint));
  topology.given = given;

  parameters.gravity = broadcastTo<T>(numbers.gravity);
  parameters.X_PJ.resize(topology.links);
  parameters.turn.resize(topology.links);
  parameters.inertia.resize(topology.links);
  parameters.pitch.resize(topology.links);
  for (int link = given; link < topology.links; ++link) {
    const Links& from = links[link - given];
    parameters.turn[link] = numbers.turn[from[0]];
    for (int lane = 0; lane < kLanesOf<T>; ++lane) {
      const Transform<double>& X = numbers.X_PJ[from[lane]];
      const LinkInertia<double>& I = numbers.inertia[from[lane]];
      if (numbers.turn[from[lane]] != parameters.turn[link]) parameters.turn[link] = FrameTurn::kGeneral;
      setLane(parameters.X_PJ[link].R.x, lane, X.R.x);
      setLane(parameters.X_PJ[link].R.y, lane, X.R.y);
      setLane(parameters.X_PJ[link].R.z, lane, X.R.z);
      setLane(parameters.X_PJ[link].p, lane, X.p);
      setLane(parameters.inertia[link].mass, lane, I.mass);
      setLane(parameters.inertia[link].com, lane, I.com);
      setLane(parameters.inertia[link].rotational, lane, I.rotational);
      setLane(parameters.pitch[link], lane, numbers.pitch[from[lane]]);
      for (int k = 0; k < positionCount(topology.joint[link]); ++k)
        q_from[lane].push_back(whole.q_index[from[lane]] + k);
      for (int k = 0; k < topology.dofs[link]; ++k) v_from[lane].push_back(whole.v_index[from[lane]] + k);
    }
  }
  parameters.armature.resize(topology.nv);
  for (int j = 0; j < topology.nv; ++j)
    for (int lane = 0; lane < kLanesOf<T>; ++lane)
      setLane(parameters.armature[j], lane, numbers.armature[v_from[lane][j]]);

  kin.resize(topology);
  inertias.resize(topology.links);
  scratch.resize(topology);
  q.resize(topology.nq);
  for (std::vector<T>* vector : {&v, &in, &out}) vector->resize(topology.nv);
}

}  // namespace rigor
