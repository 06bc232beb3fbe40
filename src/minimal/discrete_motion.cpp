#include "minimal/discrete_motion.h"

#include <algorithm>
#include <cmath>

#include "dynamics/energy.h"
#include "dynamics/integrate.h"
#include "dynamics/jacobian.h"

namespace rigor {
namespace {

/// sum_j = S_j · what the links below j have together, about O.
void sumOverTrees(const Part& part, const Kinematics<double>& start, std::vector<Force<double>>& about_O, double* sum) {
  for (const Run& run : part.runs) sumTorques(run.trees, start, about_O, sum);
}

/// Momenta of the links that move with v at their node.
void computeNodeMomenta(const StepContext& context, const Kinematics<double>& start, const double* v,
                        FreeMotion& motion) {
  DiscreteMotion& discrete = motion.discrete;
  for (const Run& run : context.part.runs) {
    computeVelocities(run.trees, start, v, discrete.V);
    for (int link = run.trees.first_link; link < run.trees.end_link; ++link) {
      Stride<double>& stride = discrete.strides[link];
      const Motion<double>& V = discrete.V[link];
      stride.turn = {};  // it stays where it is
      discrete.momenta[link] = {context.parameters.inertia[link].mass * (V.linear + cross(V.angular, stride.centre)),
                                stride.inertia * V.angular};
    }
  }
}

/// Momenta of the links whose strides lead from q to q ⊕ h·v. A round link may turn more than once: its momentum is J ω.
void computeStrideMomenta(const StepContext& context, const Kinematics<double>& start, const double* v,
                          FreeMotion& motion) {
  DiscreteMotion& discrete = motion.discrete;
  for (const Run& run : context.part.runs) {
    computeStrides(run.trees, context.parameters, start, v, motion.h, discrete.strides);
    for (int link = run.trees.first_link; link < run.trees.end_link; ++link) {
      const Stride<double>& stride = discrete.strides[link];
      Force<double>& momentum = discrete.momenta[link];
      momentum = strideMomentum(context.parameters.inertia[link].mass, stride, motion.h);
      if (!discrete.round[link]) continue;
      const int j = context.topology.v_index[link] + 3;
      momentum.angular = stride.inertia * (v[j] * start.S[j].angular + v[j + 1] * start.S[j + 1].angular +
                                           v[j + 2] * start.S[j + 2].angular);
    }
  }
}

void sumMomenta(const StepContext& context, const Kinematics<double>& start, FreeMotion& motion, double* sum) {
  DiscreteMotion& discrete = motion.discrete;
  for (const Run& run : context.part.runs)
    for (int link = run.trees.first_link; link < run.trees.end_link; ++link)
      discrete.about_O[link] =
          forceAt(discrete.strides[link].centre, discrete.momenta[link].linear, discrete.momenta[link].angular);
  sumOverTrees(context.part, start, discrete.about_O, sum);
}

/// Momenta at the end of the stride that a velocity in flight made, seen from where it led: that with −h.
void computeArrivedMomenta(const StepContext& context, const Kinematics<double>& start, const Run& run,
                           FreeMotion& motion) {
  DiscreteMotion& discrete = motion.discrete;
  const double h = -run.last_step;
  computeStrides(run.trees, context.parameters, start, context.v, h, discrete.strides);
  for (int link = run.trees.first_link; link < run.trees.end_link; ++link)
    if (!discrete.round[link])
      discrete.momenta[link] = strideMomentum(context.parameters.inertia[link].mass, discrete.strides[link], h);
}

/// π: what the last step left; M v where v is the velocity of a node; and what another stepper's velocity amounts to.
void recallMomentum(const StepContext& context, const Kinematics<double>& start, FreeMotion& motion) {
  DiscreteMotion& discrete = motion.discrete;
  const bool known = context.memory.momentum.size() == context.topology.nv;
  const auto isCarried = [&](const Run& run) { return known && run.last_step > 0.0; };
  const std::vector<Run>& runs = context.part.runs;
  if (!std::all_of(runs.begin(), runs.end(), isCarried)) {
    computeNodeMomenta(context, start, context.v, motion);
    for (const Run& run : runs)
      if (!known && run.last_step > 0.0) computeArrivedMomenta(context, start, run, motion);
    sumMomenta(context, start, motion, discrete.momentum.data());
    context.part.forEachDof([&](int j) { discrete.momentum[j] += context.parameters.armature[j] * context.v[j]; });
  }
  for (const Run& run : runs)
    if (isCarried(run))
      std::copy(context.memory.momentum.data() + run.trees.first_dof,
                context.memory.momentum.data() + run.trees.end_dof, discrete.momentum.data() + run.trees.first_dof);
}

/// Impulses of gravity, wrenches and own potentials on the links at the start, over the kick.
void computeGiven(const StepContext& context, const Kinematics<double>& start, FreeMotion& motion) {
  DiscreteMotion& discrete = motion.discrete;
  const Force<double>* external = computeExternal(context.input, motion.own, start, motion.external);
  for (const Run& run : context.part.runs)
    for (int link = run.trees.first_link; link < run.trees.end_link; ++link) {
      const Vec3<double> weight = context.parameters.inertia[link].mass * context.parameters.gravity;
      Force<double> force = forceAt(discrete.strides[link].centre, weight, {});
      if (external) force += external[link];
      motion.rnea.f[link] = -1.0 * force;  // what the judge of momentum measures roundings by
      discrete.about_O[link] = motion.kick[context.topology.v_index[link]] * force;
    }
  sumOverTrees(context.part, start, discrete.about_O, discrete.given.data());
}

/// From O to the point of each link of a deep tree: its origin at the start. Columns are moved there.
void setPoints(const Topology& topology, const Kinematics<double>& start, int link, TwoPoseMass<double>& mass) {
  const Vec3<double>& p = start.X_OL[link].p;
  const int parent = topology.parent[link];
  mass.point[link] = p;
  mass.shift[link] = parent < 0 ? Vec3<double>{} : p - start.X_OL[parent].p;
  for (int j = topology.v_index[link]; j < topology.v_index[link] + topology.dofs[link]; ++j)
    for (Motion<double>* column : {&mass.S[j], &mass.S_end[j]}) column->linear += cross(column->angular, p);
}

/// Links of deep trees have points of their own where the last step had constraints: what moves freely is solved once, and then
/// rounding about O does no harm.
void choosePoints(const StepContext& context, const DiscreteMotion& discrete, TwoPoseMass<double>& mass) {
  const bool wanted = !discrete.own_points.empty() && !context.memory.blocks.empty();
  if (mass.has_points && !wanted)
    for (auto* places : {&mass.point, &mass.shift}) std::fill(places->begin(), places->end(), Vec3<double>{});
  mass.has_points = wanted;
}

/// Bodies and columns of A at the strides that are known; the diagonal without drives.
void setTwoPoses(const StepContext& context, const PlacedModel& start, const PlacedModel& end, const double* v,
                 FreeMotion& motion) {
  const Topology& topology = context.topology;
  const DiscreteMotion& discrete = motion.discrete;
  TwoPoseMass<double>& mass = motion.mass.editTwoPoses();
  choosePoints(context, discrete, mass);
  for (const Run& run : context.part.runs) {
    const Trees& trees = run.trees;
    std::copy(start.kin.S.begin() + trees.first_dof, start.kin.S.begin() + trees.end_dof,
              mass.S.begin() + trees.first_dof);
    pullBackColumns(trees, end.kin.S.data(), v, motion.h, mass.S_end.data());
    for (int link = trees.first_link; link < trees.end_link; ++link) {
      const LinkInertia<double>& own = context.parameters.inertia[link];
      const Stride<double>& stride = discrete.strides[link];
      if (discrete.round[link]) {  // J ω is linear in the velocity, which is along the axes of the start
        const int j = topology.v_index[link] + 3;
        std::copy_n(&mass.S[j], 3, &mass.S_end[j]);
        const Sym3<double>& J = stride.inertia;
        mass.bodies[link] = bodyInertia(own.mass, {}, {}, {{J.xx, J.xy, J.xz}, {J.xy, J.yy, J.yz}, {J.xz, J.yz, J.zz}});
        continue;
      }
      if (!mass.has_points || !discrete.own_points[topology.tree[link]]) {
        mass.bodies[link] = bodyInertia(own.mass, stride.centre, end.kin.X_OL[link] * own.com, turningOf(stride));
        continue;
      }
      setPoints(topology, start.kin, link, mass);
      const Vec3<double>& p = mass.point[link];
      mass.bodies[link] = bodyInertia(own.mass, stride.centre - p, end.kin.X_OL[link] * own.com - p, turningOf(stride));
    }
    for (int j = trees.first_dof; j < trees.end_dof; ++j)
      mass.passive[j] = context.parameters.armature[j] + 0.5 * motion.kick[j] * context.parameters.damping[j];
  }
  for (const int j : motion.prescribed) mass.passive[j] = 1.0;
}

}  // namespace

void computeMomentaAt(const StepContext& context, const Kinematics<double>& start, const double* v_end,
                      FreeMotion& motion) {
  if (motion.h > 0.0)
    computeStrideMomenta(context, start, v_end, motion);
  else
    computeNodeMomenta(context, start, v_end, motion);
  sumMomenta(context, start, motion, motion.discrete.at_end.data());
}

void computeDiscreteKick(const Part& part, const Parameters<double>& parameters, const StepInput& input,
                         const double* q, const double* v, FreeMotion& motion) {
  const DiscreteMotion& discrete = motion.discrete;
  const double* base = discrete.base.data();
  double *rhs = motion.rhs.data(), *z = motion.z.data();
  part.forEachDof([&](int j) {
    const double damped = 0.5 * parameters.damping[j] * (v[j] + base[j]);
    rhs[j] = discrete.momentum[j] + discrete.given[j] + motion.kick[j] * (input.tau[j] - damped) -
             (discrete.at_base[j] + parameters.armature[j] * base[j]);
  });
  const std::vector<double>& inverse_D = motion.mass.inverseD();
  for (const Run& run : part.runs)
    for (const int j : springsOf(motion, run.trees)) rhs[j] += springImpulse(parameters, motion, j, v[j], base[j]);
  for (const Run& run : part.runs)
    for (const Drive& drive : within(input.drives, run.trees))
      if (!motion.saturated[drive.dof]) rhs[drive.dof] += driveImpulse(drive, motion, q, base);
  for (const int j : motion.prescribed) rhs[j] = motion.told[j] - (base[j] - v[j]);
  for (const Run& run : part.runs) {
    std::copy(rhs + run.trees.first_dof, rhs + run.trees.end_dof, z + run.trees.first_dof);
    motion.mass.solveLTranspose(run.trees, z);
    for (int j = run.trees.first_dof; j < run.trees.end_dof; ++j) z[j] *= inverse_D[j];
  }
}

void startDiscrete(const StepTask& task, const StepContext& context) {
  StepWork& work = task.work;
  FreeMotion& motion = work.motion;
  DiscreteMotion& discrete = motion.discrete;
  const Part& part = context.part;
  const Kinematics<double>& start = work.start.pose.kin;
  for (const Run& run : part.runs) {
    placeCentres(run.trees, context.parameters, start, discrete.strides);
    for (int link = run.trees.first_link; link < run.trees.end_link; ++link) {
      if (motion.h == 0.0) discrete.strides[link].turn = {};  // else A has that of the last step
      motion.inertias[link] = inertiaAbout(context.parameters.inertia[link].mass, discrete.strides[link].centre,
                                           discrete.strides[link].inertia);
    }
  }
  recallMomentum(context, start, motion);
  computeGiven(context, start, motion);
  computeStretch(part, context.parameters, context.q, motion);
  part.forEachDof([&](int j) {
    discrete.base[j] = context.v[j] + motion.predicted[j];
    motion.mean_velocity[j] = context.v[j] + 0.5 * motion.predicted[j];
  });
  for (const Run& run : part.runs)  // by which the search sweeps its margins
    computeVelocities(run.trees, start, motion.mean_velocity.data(), motion.rnea.V);
  if (motion.h > 0.0) {
    for (const Run& run : part.runs)
      integrate(run.trees, context.q, discrete.base.data(), motion.h, discrete.q_end.data());
    place(context.tables, part, discrete.q_end, work.end);
  }
  computeMomentaAt(context, start, discrete.base.data(), motion);
  linearise(task, context, discrete.base.data(), Factors::kNew);
}

void linearise(const StepTask& task, const StepContext& context, const double* v_end, Factors factors) {
  StepWork& work = task.work;
  FreeMotion& motion = work.motion;
  DiscreteMotion& discrete = motion.discrete;
  context.part.forEachDof([&](int j) {
    discrete.base[j] = v_end[j];
    discrete.at_base[j] = discrete.at_end[j];
    motion.predicted[j] = v_end[j] - context.v[j];
    motion.mean_velocity[j] = 0.5 * (context.v[j] + v_end[j]);
  });
  if (factors == Factors::kNew) {
    setTwoPoses(context, work.start.pose, motion.h > 0.0 ? work.end.pose : work.start.pose, v_end, motion);
    factorMass(context.part, context.parameters, context.input, motion);
  }
  computeKick(context.part, context.parameters, context.input, context.q, context.v, motion);
}

bool lineariseAnew(const StepTask& task, const StepContext& context, const double* v_end, double contraction,
                   double& missed) {
  constexpr double kExact = 1e-12;       // share of the momentum that a step may miss beyond rounding
  constexpr double kExcused = 1e-9;      // and that rounding may excuse, whose bound is far above it in long chains
  constexpr double kBalanced = 1e-10;    // what it may miss beyond rounding where Newton's method cannot make it less
  constexpr double kKeepFactors = 1e-4;  // what is missed may be taken away by the factors of the last pass
  constexpr double kKeptContraction = 0.1;  // as long as it shrinks to so much
  StepWork& work = task.work;
  const double before = missed;
  const double beyond = judgeMomentum(context, work.start.pose.kin, work.motion, work.set, v_end, work.momentum);
  missed = work.momentum.whole;
  const bool shrinks = before == 0.0 || missed <= contraction * before;
  if ((beyond <= kExact && missed <= kExcused) || (beyond <= kBalanced && !shrinks)) return false;
  const bool near = missed <= kKeepFactors && (before == 0.0 || missed <= kKeptContraction * before);
  linearise(task, context, v_end, near ? Factors::kKept : Factors::kNew);
  if (!near) computeResponses(context.topology, work.motion, 0, work.set);
  return true;
}

bool linksTurnTooFar(const StepContext& context, const StepWork& work, double most) {
  const double least = 1.0 + 2.0 * std::cos(most);  // trace of R′Rᵀ
  for (const Run& run : context.part.runs)
    for (int link = run.trees.first_link; link < run.trees.end_link; ++link) {
      if (work.motion.discrete.round[link]) continue;
      const Mat3<double>&R = work.start.pose.kin.X_OL[link].R, &R_end = work.end.pose.kin.X_OL[link].R;
      if (dot(R.x, R_end.x) + dot(R.y, R_end.y) + dot(R.z, R_end.z) < least) return true;
    }
  return false;
}

void computeDiscreteNodeVelocity(const StepContext& context, const Kinematics<double>& start, const double* v_end,
                                 FreeMotion& motion, Eigen::VectorXd& node) {
  DiscreteMotion& discrete = motion.discrete;
  const std::vector<double>& armature = context.parameters.armature;
  node.resize(context.topology.nv);
  context.part.forEachDof([&](int j) { motion.diagonal[j] = armature[j]; });
  for (const int j : motion.prescribed) motion.diagonal[j] = 1.0;
  for (const Run& run : context.part.runs) {
    const double after_node = motion.h / (run.last_step + motion.h);
    for (int j = run.trees.first_dof; j < run.trees.end_dof; ++j) {
      const double end = discrete.at_end[j] + armature[j] * v_end[j];
      node[j] = end - after_node * (end - discrete.momentum[j]);
    }
    discrete.node.setMass(run.trees, start, motion.inertias, motion.diagonal.data());
    std::fill(motion.diagonal.begin() + run.trees.first_dof, motion.diagonal.begin() + run.trees.end_dof, 0.0);
    discrete.node.factor(run.trees, motion.diagonal.data());
    discrete.node.solveLTranspose(run.trees, node.data());
    const std::vector<double>& inverse_D = discrete.node.inverseD();
    for (int j = run.trees.first_dof; j < run.trees.end_dof; ++j) node[j] *= inverse_D[j];
    discrete.node.solveU(run.trees, node.data());
  }
  for (const int j : motion.prescribed) node[j] = motion.told_at_node[j];
}

void carryMomentum(const StepContext& context, StepWork& work, const double* v_end, Memory& after) {
  FreeMotion& motion = work.motion;
  DiscreteMotion& discrete = motion.discrete;
  const Topology& topology = context.topology;
  after.momentum.resize(topology.nv);
  if (motion.h == 0.0) return context.part.forEachDof([&](int j) { after.momentum[j] = 0.0; });
  const Kinematics<double>&start = work.start.pose.kin, &end = work.end.pose.kin;
  std::vector<Force<double>>& about_O = discrete.about_O;
  for (const Run& run : context.part.runs)
    for (int link = run.trees.first_link; link < run.trees.end_link; ++link)
      about_O[link] = forceAt(end.X_OL[link] * context.parameters.inertia[link].com, discrete.momenta[link].linear,
                              discrete.momenta[link].angular);
  for (const int tree : context.part.trees) {
    const int root = topology.tree_root[tree], j = topology.v_index[root];
    if (topology.joint[root] != kFree || context.tables.is_prescribed[tree]) continue;
    const double* missed = &work.momentum.missed[j];
    const Vec3<double> force{missed[0], missed[1], missed[2]};
    const Vec3<double> torque =
        missed[3] * start.S[j + 3].angular + missed[4] * start.S[j + 4].angular + missed[5] * start.S[j + 5].angular;
    about_O[root] -= {force, torque + cross(start.origin[tree] - end.origin[tree], force)};
  }
  for (const Run& run : context.part.runs) sumTorques(run.trees, end, about_O, after.momentum.data());
  context.part.forEachDof([&](int j) { after.momentum[j] += context.parameters.armature[j] * v_end[j]; });
}

}  // namespace rigor
