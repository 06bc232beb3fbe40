#include "derivatives/substep_system.h"

#include <algorithm>

#include "derivatives/generalized_inverse.h"

namespace rigor {
namespace {

Eigen::Vector3d times(const Eigen::Matrix3d& A, bool transposed, const Eigen::Vector3d& x) {
  if (transposed) return A.transpose() * x;
  return A * x;
}

}  // namespace

void StepTangents::setZero(int nv, int columns) {
  for (auto* part : {&q, &v, &last_step, &rates[0], &rates[1], &rates[2]}) part->setZero(nv, columns);
  time.setZero(columns);
}

void StepForcing::setZero(int nv, int drives, int parameters, int columns) {
  tau.setZero(nv, columns);
  ctrl.setZero(drives, columns);
  parameter.setZero(parameters, columns);
}

void SubstepSystem::resize(int nv, int drives, int parameters) {
  for (auto* vector : {&kick, &rate, &v_end, &predicted_rate, &by_h, &by_kick, &by_last, &gap_row, &v_by_length})
    vector->setZero(nv);
  weights.setZero(nv, 3);
  for (auto* matrix : {&by_q, &by_v, &by_predicted}) matrix->setZero(nv, nv);
  by_parameter.setZero(nv, parameters);
  quaternions.clear();
  targets.assign(drives, {});
  has_inverse = false;
}

void SubstepSystem::resizeRows(int nv, int parameters) {
  response.setZero(nv, rows);
  binding.setZero(rows, nv);
  solve.setZero(rows, rows);
  for (auto* matrix : {&rows_by_q, &rows_by_v}) matrix->setZero(rows, nv);
  rows_by_parameter.setZero(rows, parameters);
  for (auto* vector : {&rows_by_h, &rows_by_kick}) vector->setZero(rows);
  row_dof.assign(rows, -1);
  rows_know_v = false;
}

void SubstepSystem::finish(const Eigen::MatrixXd& free_rows, GeneralizedInverse& inverter, StepScratch& scratch) {
  rank = 0;
  if (rows > 0) {
    solve = free_rows;
    solve.noalias() += binding * response;
    rank = inverter.compute(solve, solve);
  }
  if (!lands) return;
  scratch.f = -(by_h + 0.5 * by_kick);
  if (extrapolates) scratch.f.noalias() -= by_predicted * (0.5 * predicted_rate);
  scratch.s = rows_by_h;
  for (int r = 0; r < rows; ++r)
    if (row_dof[r] >= 0) scratch.s(r) += 0.5 * rows_by_kick[r];
  solveForward(scratch);
  v_by_length = scratch.v;
}

void SubstepSystem::carry(bool transposed, Eigen::MatrixXd& x) const {
  for (const QuaternionCarry& one : quaternions)
    for (Eigen::Index k = 0; k < x.cols(); ++k) {
      const Eigen::Vector3d turned = x.block<3, 1>(one.dof, k);
      x.block<3, 1>(one.dof, k) = times(one.carry, transposed, turned);
    }
}

void SubstepSystem::addTurned(bool transposed, const Eigen::MatrixXd& x, Eigen::MatrixXd& to) const {
  to += h * x;
  for (const QuaternionCarry& one : quaternions)
    for (Eigen::Index k = 0; k < x.cols(); ++k) {
      const Eigen::Vector3d turned = x.block<3, 1>(one.dof, k);
      to.block<3, 1>(one.dof, k) += h * (times(one.turn, transposed, turned) - turned);
    }
}

void SubstepSystem::invert() {
  if (has_inverse) return;
  has_inverse = true;
  // Gauss–Jordan in place; A is a mass matrix but for little, so its pivots need no search
  inverse = balance;
  const Eigen::Index n = inverse.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    const double pivot = 1.0 / inverse(k, k);
    inverse(k, k) = 0.0;
    for (Eigen::Index j = 0; j < n; ++j) {
      if (j == k) continue;
      const double factor = inverse(k, j) * pivot;
      inverse.col(j) -= factor * inverse.col(k);
      inverse(k, j) = factor;
    }
    inverse.col(k) *= -pivot;
    inverse(k, k) = pivot;
  }
}

void SubstepSystem::solveBalance(bool transposed, Eigen::MatrixXd& x, Eigen::MatrixXd& room) const {
  if (has_inverse) {
    room.resize(x.rows(), x.cols());
    if (transposed)
      room.noalias() = inverse.transpose() * x;
    else
      room.noalias() = inverse * x;
    x.swap(room);
    return;
  }
  const Trees all(*topology);
  const Eigen::Map<const Eigen::VectorXd> inverse_D(mass.inverseD().data(), x.rows());
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    mass.solveLTranspose(all, &x(0, k));
    x.col(k).array() *= inverse_D.array();
    mass.solveU(all, &x(0, k));
  }
}

void SubstepSystem::solveForward(StepScratch& scratch) const {
  scratch.v.swap(scratch.f);
  solveBalance(false, scratch.v, scratch.room);
  if (rows == 0) return;
  scratch.s.noalias() -= binding * scratch.v;
  scratch.w.noalias() = solve * scratch.s;
  scratch.v.noalias() += response * scratch.w;
}

void SubstepSystem::solveAdjoint(StepScratch& scratch) const {
  if (rows > 0) {
    scratch.w.noalias() = response.transpose() * scratch.v;
    scratch.s.noalias() = solve.transpose() * scratch.w;
    scratch.v.noalias() -= binding.transpose() * scratch.s;
  }
  scratch.f.swap(scratch.v);
  solveBalance(true, scratch.f, scratch.room);
}

double SubstepSystem::rateOfGap() const {
  double rate = gap_row.dot(v_end) + h * gap_row.dot(v_by_length);
  for (const QuaternionCarry& one : quaternions)
    rate +=
        h * gap_row.segment<3>(one.dof).dot((one.turn - Eigen::Matrix3d::Identity()) * v_by_length.segment<3>(one.dof));
  return rate;
}

void SubstepSystem::forward(double left, const StepForcing& forcing, StepTangents& tangents,
                            StepScratch& scratch) const {
  const Eigen::Index columns = tangents.q.cols();
  scratch.h.setZero(columns);
  if (!lands && left > 0.0) scratch.h = (-h / left) * tangents.time;

  scratch.kick = 0.5 * tangents.last_step;
  for (Eigen::Index k = 0; k < columns; ++k) scratch.kick.col(k).array() += 0.5 * scratch.h[k];
  scratch.f.setZero(tangents.q.rows(), columns);
  scratch.f.noalias() -= by_q * tangents.q;
  scratch.f.noalias() -= by_v * tangents.v;
  if (extrapolates) {
    scratch.predicted = predicted_rate.asDiagonal() * scratch.kick;
    for (int k = 0; k < 3; ++k)
      scratch.predicted += (weights.col(k).cwiseProduct(kick)).asDiagonal() * tangents.rates[k];
    scratch.f.noalias() -= by_predicted * scratch.predicted;
  }
  scratch.f -= by_kick.asDiagonal() * scratch.kick;
  scratch.f -= by_last.asDiagonal() * tangents.last_step;
  for (Eigen::Index k = 0; k < columns; ++k) scratch.f.col(k) -= scratch.h[k] * by_h;
  scratch.f += kick.asDiagonal() * forcing.tau;
  if (by_parameter.cols() > 0) scratch.f.noalias() -= by_parameter * forcing.parameter;
  scratch.s.setZero(rows, columns);
  if (rows > 0) {
    scratch.s.noalias() += rows_by_q * tangents.q;
    if (rows_know_v) scratch.s.noalias() += rows_by_v * tangents.v;
    if (by_parameter.cols() > 0) scratch.s.noalias() += rows_by_parameter * forcing.parameter;
    for (Eigen::Index k = 0; k < columns; ++k) scratch.s.col(k) += scratch.h[k] * rows_by_h;
    for (int r = 0; r < rows; ++r)
      if (row_dof[r] >= 0) scratch.s.row(r) += rows_by_kick[r] * scratch.kick.row(row_dof[r]);
  }
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const TargetTerm& target = targets[k];
    if (target.row >= 0)
      scratch.s.row(target.row) += target.slope * forcing.ctrl.row(k);
    else
      scratch.f.row(target.dof) += target.slope * forcing.ctrl.row(k);
  }
  solveForward(scratch);
  moveEnd(true, scratch.v, tangents, scratch);
}

void SubstepSystem::forwardByAll(bool remembers, StepTangents& tangents, StepScratch& scratch) const {
  const Eigen::Index n = by_q.rows(), parameters = by_parameter.cols(), tau = 2 * n + parameters, ctrl = tau + n;
  const Eigen::Index columns = tangents.q.cols();
  const bool in_rows = std::any_of(targets.begin(), targets.end(), [](const TargetTerm& one) { return one.row >= 0; });
  const Eigen::Index solved = in_rows ? columns : ctrl;  // a target inside its limits does what τ does
  scratch.h.setZero(columns);
  scratch.kick.setZero(n, columns);
  scratch.f.resize(n, solved);
  scratch.f.leftCols(n) = -by_q;
  scratch.f.middleCols(n, n) = -by_v;
  scratch.f.middleCols(2 * n, parameters) = -by_parameter;
  scratch.f.rightCols(solved - tau).setZero();
  scratch.f.middleCols(tau, n).diagonal() = kick;
  scratch.s.setZero(rows, solved);
  scratch.s.leftCols(n) = rows_by_q;
  scratch.s.middleCols(n, n) = rows_by_v;
  scratch.s.middleCols(2 * n, parameters) = rows_by_parameter;
  for (std::size_t k = 0; k < targets.size() && in_rows; ++k)
    if (targets[k].row >= 0) scratch.s(targets[k].row, ctrl + static_cast<Eigen::Index>(k)) = targets[k].slope;
  solveForward(scratch);
  scratch.all.resize(n, columns);
  scratch.all.leftCols(solved) = scratch.v;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const TargetTerm& target = targets[k];
    const Eigen::Index column = ctrl + static_cast<Eigen::Index>(k);
    if (target.row >= 0) continue;
    const double share = target.slope > 0.0 ? target.slope / kick[target.dof] : 0.0;
    scratch.all.col(column) = share * scratch.v.col(tau + target.dof);
  }
  moveEnd(remembers, scratch.all, tangents, scratch);
}

/// q′, where the sub-step lands its length, and what the memory will hold.
void SubstepSystem::moveEnd(bool remembers, Eigen::MatrixXd& v, StepTangents& tangents, StepScratch& scratch) const {
  const Eigen::Index columns = tangents.q.cols();
  scratch.q = tangents.q;
  carry(false, scratch.q);
  addTurned(false, v, scratch.q);
  if (lands) {
    scratch.h.noalias() = (-1.0 / rateOfGap()) * (gap_row.transpose() * scratch.q);
    v.noalias() += v_by_length * scratch.h;
    for (Eigen::Index k = 0; k < columns; ++k) scratch.kick.col(k).array() += 0.5 * scratch.h[k];
    scratch.q = tangents.q;
    carry(false, scratch.q);
    addTurned(false, v, scratch.q);
  }
  for (Eigen::Index k = 0; k < columns; ++k) scratch.q.col(k) += scratch.h[k] * v_end;
  tangents.q.swap(scratch.q);
  if (remembers && h > 0.0) {
    tangents.rates[2].swap(tangents.rates[1]);
    tangents.rates[1].swap(tangents.rates[0]);
    tangents.rates[0] = v - tangents.v;
    tangents.rates[0] -= rate.asDiagonal() * scratch.kick;
    tangents.rates[0].array().colwise() /= kick.array();
    tangents.last_step = scratch.h.replicate(tangents.v.rows(), 1);
  } else {
    tangents.last_step.setZero();
  }
  tangents.v.swap(v);
  tangents.time += scratch.h;
}

void SubstepSystem::adjoint(double left, StepTangents& gradients, StepForcing& forcing, StepScratch& scratch) const {
  // by v′, by h and by κ, of all that the end is made of
  scratch.h = gradients.time;
  scratch.h.noalias() += v_end.transpose() * gradients.q;
  scratch.v = gradients.v;
  scratch.kick.setZero(gradients.q.rows(), gradients.q.cols());
  gradients.v.setZero();
  if (h > 0.0) {
    scratch.h += gradients.last_step.colwise().sum();
    gradients.v = -(kick.cwiseInverse().asDiagonal() * gradients.rates[0]);
    scratch.v -= gradients.v;
    scratch.kick = rate.asDiagonal() * gradients.v;
    gradients.rates[0].swap(gradients.rates[1]);
    gradients.rates[1].swap(gradients.rates[2]);
    gradients.rates[2].setZero();
  }
  addTurned(true, gradients.q, scratch.v);
  if (lands) {
    // h follows from q′ at a fixed length
    scratch.h += 0.5 * scratch.kick.colwise().sum();
    scratch.h.noalias() += v_by_length.transpose() * scratch.v;
    scratch.q.noalias() = (-1.0 / rateOfGap()) * (gap_row * scratch.h);
    gradients.q += scratch.q;
    addTurned(true, scratch.q, scratch.v);
    scratch.h.setZero();
  }
  carry(true, gradients.q);
  solveAdjoint(scratch);

  gradients.q.noalias() -= by_q.transpose() * scratch.f;
  gradients.v.noalias() -= by_v.transpose() * scratch.f;
  scratch.kick -= by_kick.asDiagonal() * scratch.f;
  if (extrapolates) {
    scratch.predicted.setZero(scratch.f.rows(), scratch.f.cols());
    scratch.predicted.noalias() -= by_predicted.transpose() * scratch.f;
    scratch.kick += predicted_rate.asDiagonal() * scratch.predicted;
    for (int k = 0; k < 3; ++k)
      gradients.rates[k] += (weights.col(k).cwiseProduct(kick)).asDiagonal() * scratch.predicted;
  }
  scratch.h.noalias() -= by_h.transpose() * scratch.f;
  forcing.tau += kick.asDiagonal() * scratch.f;
  if (by_parameter.cols() > 0) forcing.parameter.noalias() -= by_parameter.transpose() * scratch.f;
  if (rows > 0) {
    gradients.q.noalias() += rows_by_q.transpose() * scratch.s;
    if (rows_know_v) gradients.v.noalias() += rows_by_v.transpose() * scratch.s;
    if (by_parameter.cols() > 0) forcing.parameter.noalias() += rows_by_parameter.transpose() * scratch.s;
    scratch.h.noalias() += rows_by_h.transpose() * scratch.s;
    for (int r = 0; r < rows; ++r)
      if (row_dof[r] >= 0) scratch.kick.row(row_dof[r]) += rows_by_kick[r] * scratch.s.row(r);
  }
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const TargetTerm& target = targets[k];
    forcing.ctrl.row(k) += target.slope * (target.row >= 0 ? scratch.s.row(target.row) : scratch.f.row(target.dof));
  }
  gradients.last_step = 0.5 * scratch.kick - by_last.asDiagonal() * scratch.f;
  if (lands || !(left > 0.0)) return;
  scratch.h += 0.5 * scratch.kick.colwise().sum();
  gradients.time -= (h / left) * scratch.h;
}

}  // namespace rigor
