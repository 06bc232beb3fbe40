#include "algorithms/ik_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/convert.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

bool asksForPlace(IkGoal goal) { return goal != IkGoal::kOrientation; }
bool asksForTurn(IkGoal goal) { return goal == IkGoal::kOrientation || goal == IkGoal::kPose; }

/// x += factor·y in three rows of a column.
void addTo(double* column, double factor, const Vec& y) {
  column[0] += factor * y.x, column[1] += factor * y.y, column[2] += factor * y.z;
}

}  // namespace

IkRows::IkRows(const Model& model, const std::vector<IkTask>& tasks, const IkUnknowns& unknowns) : unknowns_(unknowns) {
  const Topology& topology = model.topology();
  kin_.resize(topology);
  for (const IkTask& task : tasks) {
    Placed placed;
    placed.row = rows_;
    placed.rows = task.goal == IkGoal::kPose ? 6 : 3;
    placed.link = -1;
    if (task.goal == IkGoal::kCenterOfMass) {
      wants_mass_ = true;
      for (int j = 0; j < topology.nv; ++j) placed.dofs.push_back(j);
    } else {
      const BodyPlacement& body = model.placements()[task.body];
      placed.link = body.link;
      placed.X_LF = body.X_LB * toTransform(task.X_BF);
      for (int k = 0; body.link >= 0 && k < topology.chain_length[body.link]; ++k)
        placed.dofs.push_back(topology.chain[topology.chain_start[body.link] + k]);
    }
    std::erase_if(placed.dofs, [&](int j) { return unknowns.of_dof[j] < 0; });
    for (const int j : placed.dofs) placed.unknowns.push_back(unknowns.of_dof[j]);
    std::sort(placed.unknowns.begin(), placed.unknowns.end());
    placed.unknowns.erase(std::unique(placed.unknowns.begin(), placed.unknowns.end()), placed.unknowns.end());
    rows_ += placed.rows;
    placed_.push_back(std::move(placed));
  }
  if (wants_mass_) inertias_.resize(topology.links), momentum_.resize(topology.nv);
}

void IkRows::evaluate(const Model& model, const std::vector<IkTask>& tasks, const Eigen::VectorXd& q,
                      Eigen::VectorXd& errors) {
  constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
  const Topology& topology = model.topology();
  computeKinematics(topology, model.parameters(), q.data(), kin_);
  if (wants_mass_) {
    computeInertias(topology, model.parameters(), kin_, inertias_);
    centre_ = computeMassCentre(topology, kin_, inertias_);
  }
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const IkTask& task = tasks[t];
    Placed& placed = placed_[t];
    Transform<double> X = placed.X_LF;
    Vec origin;
    if (task.goal == IkGoal::kCenterOfMass) {
      X.p = centre_.position;
    } else if (placed.link >= 0) {
      X = kin_.X_OL[placed.link] * X;
      origin = kin_.origin[topology.tree[placed.link]];
    }
    placed.p = X.p;
    double* e = errors.data() + placed.row;
    if (asksForPlace(task.goal)) {
      const Vec off = X.p + origin - toVec3(task.target.position);
      placed.miss.distance = norm(off);
      e[0] = task.weight * off.x, e[1] = task.weight * off.y, e[2] = task.weight * off.z;
      e += 3;
    }
    placed.rounding = kRounding * (1.0 + task.target.position.cwiseAbs().sum());
    if (!asksForTurn(task.goal)) continue;
    placed.theta = rotationBetween(toMat3(task.target.rotation.toRotationMatrix()), X.R);
    placed.miss.angle = norm(placed.theta);
    const double weight = task.weight * task.metres_per_rad;
    e[0] = weight * placed.theta.x, e[1] = weight * placed.theta.y, e[2] = weight * placed.theta.z;
  }
}

void IkRows::differentiate(const Model& model, const std::vector<IkTask>& tasks, int first, int end,
                           Eigen::MatrixXd& J) {
  const Topology& topology = model.topology();
  for (int t = first; t < end; ++t) {
    const IkTask& task = tasks[t];
    const Placed& placed = placed_[t];
    for (const int u : placed.unknowns) std::fill_n(&J(placed.row, u), placed.rows, 0.0);
    if (task.goal == IkGoal::kCenterOfMass) {
      std::vector<Inertia<double>>& composite = inertias_;
      computeMomentumMap(topology, kin_, composite, centre_.position, momentum_.data());
      for (const int j : placed.dofs)
        addTo(&J(placed.row, unknowns_.of_dof[j]), task.weight * unknowns_.factor[j] / centre_.mass,
              momentum_[j].linear);
      computeInertias(topology, model.parameters(), kin_, inertias_);  // the map made them those of subtrees
      continue;
    }
    const bool turns = asksForTurn(task.goal);
    const ExpCoefficients<double> c = expCoefficients(dot(placed.theta, placed.theta));
    for (const int j : placed.dofs) {
      const Motion<double>& S = kin_.S[j];
      double* column = &J(placed.row, unknowns_.of_dof[j]);
      if (asksForPlace(task.goal)) {
        addTo(column, task.weight * unknowns_.factor[j], S.linear + cross(S.angular, placed.p));
        column += 3;
      }
      if (turns)  // Jl(θ)⁻¹ = Jl(−θ)⁻ᵀ
        addTo(column, task.weight * task.metres_per_rad * unknowns_.factor[j],
              leftJacobianInverseTransposeTimes(-1.0 * placed.theta, c, S.angular));
    }
  }
}

void IkRows::square(int first, int end, const Eigen::MatrixXd& J, const Eigen::VectorXd& errors, Eigen::MatrixXd& H,
                    Eigen::VectorXd& gradient) const {
  H.setZero();
  gradient.setZero();
  for (int t = first; t < end; ++t) {
    const Placed& placed = placed_[t];
    const double* e = errors.data() + placed.row;
    for (std::size_t b = 0; b < placed.unknowns.size(); ++b) {
      const double* right = &J(placed.row, placed.unknowns[b]);
      double* column = &H(0, placed.unknowns[b]);
      for (std::size_t a = b; a < placed.unknowns.size(); ++a) {
        const double* left = &J(placed.row, placed.unknowns[a]);
        double sum = 0.0;
        for (int k = 0; k < placed.rows; ++k) sum += left[k] * right[k];
        column[placed.unknowns[a]] += sum;
      }
      double sum = 0.0;
      for (int k = 0; k < placed.rows; ++k) sum += right[k] * e[k];
      gradient[placed.unknowns[b]] += sum;
    }
  }
}

}  // namespace rigor
