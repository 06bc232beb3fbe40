#include "solvers/pyramid_lcp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/friction_polygon.h"
#include "contact/judge.h"
#include "contact/visit_block.h"

namespace rigor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

void PyramidLcp::reserve(int rows, int directions) {
  const std::size_t most = static_cast<std::size_t>(rows / 3 + 1) * (directions + 2) + rows;
  lines_.reserve(most);
  spans_.reserve(rows);
  for (auto* array : {&q_, &lo_, &hi_, &scale_}) array->reserve(most);
  for (auto* array : {&impulse_, &velocity_}) array->reserve(rows);
}

void PyramidLcp::assign(const ContactProblem& problem) {
  problem_ = &problem;
  corners_ = polygonOf(problem.directions).corner;
  lines_.clear(), spans_.clear();
  for (auto* array : {&q_, &lo_, &hi_, &scale_}) array->clear();
  impulse_.resize(problem.rows()), velocity_.resize(problem.rows());
  const auto add = [&](const Line& line, double q, double lo, double hi, double scale) {
    lines_.push_back(line);
    q_.push_back(q), lo_.push_back(lo), hi_.push_back(hi), scale_.push_back(scale);
  };
  const double substitute = substituteScale(problem);
  for (const Block& block : problem.blocks) {
    const int first = rows();
    const double own = blockScale(problem, block), w = own > 0.0 ? own : substitute, d = 1.0 / std::sqrt(w);
    forEachUnitByLaw(problem, block, [&]<class Unit>(const Unit& unit, int row) {
      const double b = problem.b[row];
      if constexpr (Unit::kEquation) {
        add({Role::kRow, row, 0, first, 0.0, 0.0}, b, -kInfinity, kInfinity, d);
      } else if constexpr (Unit::kRows == 1) {
        double lo = 0.0, hi = kInfinity;
        if constexpr (Unit::kHasBounds) lo = unit.lo, hi = unit.hi;
        add({Role::kRow, row, 0, first, 0.0, unit.compliance}, b + unit.bias, lo, hi, d);
      } else {
        add({Role::kRow, row, 0, first, unit.mu, unit.compliance}, b + unit.bias, 0.0, kInfinity, d);
        if (!(unit.mu > 0.0)) return;
        for (int j = 0; j < problem.directions; ++j) {
          const double along = corners_[j][0] * problem.b[row + 1] + corners_[j][1] * problem.b[row + 2];
          add({Role::kCorner, row, j, first, unit.mu, 0.0}, along, 0.0, kInfinity, d);
        }
        add({Role::kSlip, row, 0, first, unit.mu, 0.0}, 0.0, 0.0, kInfinity, 1.0 / d);
      }
    });
    spans_.push_back({first, rows() - first});
  }
}

// What the impulse of a line that pushes does to one row of the contact problem.
double PyramidLcp::entryOfRow(int row, const Line& column) const {
  const double* W = problem_->W.row(row);
  if (column.role == Role::kRow) return W[column.row];
  return W[column.row + 1] * corners_[column.corner][0] + W[column.row + 2] * corners_[column.corner][1];
}

double PyramidLcp::at(int row, int column) const {
  const Line &line = lines_[row], &other = lines_[column];
  const bool same = line.first == other.first && line.row == other.row;
  if (line.role == Role::kSlip)  // μ λn − Σ β
    return !same || other.role == Role::kSlip ? 0.0 : (other.role == Role::kRow ? line.mu : -1.0);
  if (other.role == Role::kSlip) return same && line.role == Role::kCorner ? 1.0 : 0.0;
  if (line.role == Role::kRow) return entryOfRow(line.row, other) + (row == column ? line.compliance : 0.0);
  return corners_[line.corner][0] * entryOfRow(line.row + 1, other) +
         corners_[line.corner][1] * entryOfRow(line.row + 2, other);
}

void PyramidLcp::multiply(const std::vector<int>& columns, const double* z, double* out) const {
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  std::fill(out, out + rows(), 0.0);
  for (const int k : columns) {
    const Line& line = lines_[k];
    const int directions = problem_->directions, last = line.first + 1 + directions;
    switch (line.role) {
      case Role::kRow:
        impulse_[line.row] += z[k];
        out[k] += line.compliance * z[k];
        if (line.mu > 0.0) out[last] += line.mu * z[k];
        break;
      case Role::kCorner:
        for (int r = 0; r < 2; ++r) impulse_[line.row + 1 + r] += corners_[line.corner][r] * z[k];
        out[last] -= z[k];
        break;
      case Role::kSlip:
        for (int j = line.first + 1; j < last; ++j) out[j] += z[k];
        break;
    }
  }
  problem_->W.multiply(impulse_.data(), velocity_.data());
  for (int i = 0; i < rows(); ++i) {
    const Line& line = lines_[i];
    const double* u = &velocity_[line.row];
    if (line.role == Role::kRow) out[i] += u[0];
    if (line.role == Role::kCorner) out[i] += corners_[line.corner][0] * u[1] + corners_[line.corner][1] * u[2];
  }
}

void PyramidLcp::readImpulse(const double* z, double* impulse) const {
  std::fill(impulse, impulse + problem_->rows(), 0.0);
  for (int i = 0; i < rows(); ++i) {
    const Line& line = lines_[i];
    if (line.role == Role::kRow) impulse[line.row] += z[i];
    if (line.role != Role::kCorner) continue;
    for (int r = 0; r < 2; ++r) impulse[line.row + 1 + r] += corners_[line.corner][r] * z[i];
  }
}

void PyramidLcp::guessPlaces(const double* impulse, const std::vector<ContactMode>& modes,
                             std::vector<LcpPlace>& places) const {
  const FrictionPolygon& polygon = polygonOf(problem_->directions);
  constexpr double kAt = 1e-9;  // of a corner
  places.assign(rows(), LcpPlace::kLower);
  for (std::size_t b = 0; b < spans_.size(); ++b)
    for (int i = spans_[b].first; i < spans_[b].first + spans_[b].count; ++i) {
      const Line& line = lines_[i];
      const double x = impulse[line.row];
      if (line.role != Role::kRow) continue;
      if (x > lo_[i] && x < hi_[i]) places[i] = LcpPlace::kInside;
      if (x >= hi_[i]) places[i] = LcpPlace::kUpper;
      if (!(line.mu > 0.0 && x > 0.0)) continue;
      const double *t = &impulse[line.row + 1], size = std::hypot(t[0], t[1]);
      const int side = polygon.sideOf(t[0], t[1]), next = polygon.next(side);
      const bool slips = modes[b] == ContactMode::kSlip;
      const auto across = [&](int j) { return std::abs(corners_[j][0] * t[1] - corners_[j][1] * t[0]); };
      if (across(next) > kAt * size) places[i + 1 + side] = LcpPlace::kInside;
      if (across(side) > kAt * size) places[i + 1 + next] = LcpPlace::kInside;
      if (slips) places[i + 1 + problem_->directions] = LcpPlace::kInside;
    }
}

Lcp makePyramidLcp(const ContactProblem& problem) {
  PyramidLcp pyramid;
  ContactProblem dense = problem;
  dense.W = problem.W.isFactored() ? problem.W.toDense() : problem.W;
  pyramid.assign(dense);
  Lcp lcp;
  const int n = pyramid.rows();
  lcp.q = pyramid.q(), lcp.lo = pyramid.lo(), lcp.hi = pyramid.hi();
  lcp.M.resize(static_cast<std::size_t>(n) * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) lcp.M[static_cast<std::size_t>(i) * n + j] = pyramid.at(i, j);
    if (std::isinf(lcp.lo[i]) && std::isinf(lcp.hi[i])) lcp.free.push_back(i);
  }
  return lcp;
}

std::vector<double> readPyramidImpulse(const ContactProblem& problem, const std::vector<double>& z) {
  PyramidLcp pyramid;
  pyramid.assign(problem);
  std::vector<double> impulse(problem.rows());
  pyramid.readImpulse(z.data(), impulse.data());
  return impulse;
}

}  // namespace rigor
