#include "solvers/loop_graph.h"

#include <algorithm>
#include <numeric>

#include "contact/visit_block.h"

namespace rigor {

bool LoopGraph::reduce(const ContactProblem& problem, const StopFlag* stop) {
  lu_.prepare(problem);
  if (!lu_.factor(problem.W.factors(), stop)) return false;
  findRest(problem);
  fillRest(problem);
  copyRest(problem);
  return !isRaised(stop);
}

// impulse of equal rows ← sign · scaled S⁻¹ of the velocities of these rows; `equal_` keeps the scaled ones.
void LoopGraph::answer(const double* velocity, double sign, double* impulse) {
  const int n = lu_.rows();
  for (int i = 0; i < n; ++i) equal_[i] = lu_.rowScale()[i] * velocity[lu_.row(i)];
  lu_.solve(equal_.data());
  for (int i = 0; i < n; ++i)
    if (lu_.isPivot(i)) impulse[lu_.row(i)] += sign * lu_.columnScale()[i] * equal_[i];
}

void LoopGraph::findRest(const ContactProblem& problem) {
  rest_rows_.clear();
  kept_blocks_.clear();
  left_.clear();
  rest_.blocks.clear();
  const auto addBlock = [&](Block block) {
    const int first = block.row;
    block.row = static_cast<int>(rest_rows_.size());
    rest_.blocks.push_back(block);
    for (int row = first; row < first + block.size; ++row) rest_rows_.push_back(row);
  };
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    if (isEquation(problem.blocks[i])) continue;
    kept_blocks_.push_back(static_cast<int>(i));
    addBlock(problem.blocks[i]);
  }
  scales_.row.assign(rest_rows_.size(), 0.0);
  scales_.column.assign(rest_rows_.size(), 0.0);
  for (int i = 0; i < lu_.rows(); ++i) {
    if (lu_.isPivot(i)) continue;
    left_.push_back(i);
    addBlock({.kind = BlockKind::kEqual, .row = lu_.row(i), .size = 1});
    scales_.row.push_back(lu_.rowScale()[i]);
    scales_.column.push_back(lu_.columnScale()[i]);
  }
}

// Columns of W′ and b′, each by what the rows of S answer to it.
void LoopGraph::fillRest(const ContactProblem& problem) {
  const int count = static_cast<int>(rest_rows_.size()), kept = count - static_cast<int>(left_.size());
  rest_.W.setZero(count);
  rest_.b.resize(count);
  scales_.diagonal.resize(count);
  velocity_.resize(problem.rows());
  equal_.resize(lu_.rows());
  left_response_.resize(left_.size() * lu_.rows());
  for (int j = 0; j < count; ++j) {
    impulse_.assign(problem.rows(), 0.0);
    impulse_[rest_rows_[j]] = 1.0;
    problem.W.multiply(impulse_.data(), velocity_.data());
    scales_.diagonal[j] = velocity_[rest_rows_[j]];
    answer(velocity_.data(), -1.0, impulse_.data());
    if (j >= kept)
      for (int i = 0; i < lu_.rows(); ++i)
        left_response_[(j - kept) * lu_.rows() + i] = equal_[i] * lu_.columnScale()[left_[j - kept]];
    problem.W.multiply(impulse_.data(), velocity_.data());
    for (int i = 0; i < count; ++i) rest_.W(i, j) = velocity_[rest_rows_[i]];
  }
  impulse_.assign(problem.rows(), 0.0);
  answer(problem.b.data(), -1.0, impulse_.data());
  problem.W.multiplyAdd(impulse_.data(), problem.b.data(), velocity_.data());
  for (int i = 0; i < count; ++i) rest_.b[i] = velocity_[rest_rows_[i]];
}

void LoopGraph::copyRest(const ContactProblem& problem) {
  const auto copy = [&](const std::vector<double>& from, std::vector<double>& to) {
    to.resize(from.empty() ? 0 : rest_rows_.size());
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[rest_rows_[i]];
  };
  copy(problem.bias, rest_.bias);
  copy(problem.compliance, rest_.compliance);
  copy(problem.row_error, rest_.row_error);
  rest_.law = problem.law;
  rest_.directions = problem.directions;
  rest_.velocity_scale = problem.velocity_scale;
}

void LoopGraph::restrict(const ContactSolution& full, ContactSolution& rest) const {
  rest.impulse.resize(rest_rows_.size());
  rest.modes.assign(rest_.blocks.size(), ContactMode::kStick);
  for (std::size_t i = 0; i < rest_rows_.size(); ++i) rest.impulse[i] = full.impulse[rest_rows_[i]];
  for (std::size_t i = 0; i < kept_blocks_.size(); ++i) rest.modes[i] = full.modes[kept_blocks_[i]];
}

void LoopGraph::recover(const ContactProblem& problem, const Elimination& elimination, const ContactSolution& rest,
                        ContactSolution& full) {
  std::fill(full.impulse.begin(), full.impulse.end(), 0.0);
  for (std::size_t i = 0; i < rest_rows_.size(); ++i) full.impulse[rest_rows_[i]] = rest.impulse[i];
  const auto answerAll = [&] {
    problem.W.multiplyAdd(full.impulse.data(), problem.b.data(), velocity_.data());
    answer(velocity_.data(), -1.0, full.impulse.data());
  };
  answerAll();
  shareFree(elimination, full.impulse);
  answerAll();  // what rounding left
  full.modes.assign(problem.blocks.size(), ContactMode::kStick);
  for (std::size_t i = 0; i < kept_blocks_.size(); ++i) full.modes[kept_blocks_[i]] = rest.modes[i];
}

// λ ← λ − N y with the least |λ|²: NᵀN y = Nᵀλ, all scaled, the columns of N what moves no equal row.
void LoopGraph::shareFree(const Elimination& elimination, std::vector<double>& impulse) {
  const int n = lu_.rows(), count = elimination.freeCount();
  if (count == 0) return;
  const std::size_t kept = rest_rows_.size() - left_.size();
  null_.assign(static_cast<std::size_t>(count) * n, 0.0);
  of_rest_.resize(rest_rows_.size());
  for (int k = 0; k < count; ++k) {
    double* N = &null_[static_cast<std::size_t>(k) * n];
    elimination.writeNull(k, of_rest_.data());
    for (std::size_t j = 0; j < left_.size(); ++j) {
      const double share = of_rest_[kept + j];
      if (share == 0.0) continue;
      const double* response = &left_response_[j * n];
      for (int i = 0; i < n; ++i) N[i] -= share * response[i];
      N[left_[j]] = share;
    }
  }
  const auto dot = [&](const double* a, const double* b) { return std::inner_product(a, a + n, b, 0.0); };
  for (int i = 0; i < n; ++i) equal_[i] = lu_.columnScale()[i] > 0.0 ? impulse[lu_.row(i)] / lu_.columnScale()[i] : 0.0;
  gram_.resize(count);
  shares_.resize(count);
  for (int k = 0; k < count; ++k) {
    const double* N = &null_[static_cast<std::size_t>(k) * n];
    for (int l = 0; l < count; ++l) gram_.row(k)[l] = dot(N, &null_[static_cast<std::size_t>(l) * n]);
    shares_[k] = dot(N, equal_.data());
  }
  gram_.factorInOrder();
  gram_.solve(shares_.data());
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < n; ++i)
      impulse[lu_.row(i)] -= lu_.columnScale()[i] * shares_[k] * null_[static_cast<std::size_t>(k) * n + i];
}

}  // namespace rigor
