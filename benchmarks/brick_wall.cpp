#include "brick_wall.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

constexpr double kStep = 1e-3, kGravity = 9.81, kFriction = 0.6;
constexpr double kHalf[3] = {0.1, 0.05, 0.05};  // length, depth, height of half a brick
constexpr double kRowError = 1e-12;             // [m/s] of velocities that would be read from positions

// Rotational inertia about axis i of a box, per kg.
double inertia(int axis) {
  const double a = kHalf[(axis + 1) % 3], b = kHalf[(axis + 2) % 3];
  return (a * a + b * b) / 3.0;
}

}  // namespace

BrickWall::BrickWall(const WallOptions& options) : options_(options), random_(options.seed) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int row = 0; row < options.rows; ++row)
    for (int column = 0; column < options.columns; ++column) {
      centre_.push_back(2.0 * kHalf[0] * column + (row % 2 == 1 ? kHalf[0] : 0.0));
      centre_.push_back(0.0);
      centre_.push_back(kHalf[2] * (2 * row + 1));
      mass_.push_back(std::pow(options.mass_ratio, uniform(random_)));
    }
  velocity_.assign(6 * mass_.size(), 0.0);
  for (int brick = 0; brick < bricks(); ++brick) factors_.node_start.push_back(6 * (brick + 1));
  addBedJoints();
  addHeadJoints();
  const int m = factors_.block_row.back();
  problem_.W.setFactors(factors_);
  problem_.b.assign(m, 0.0);
  problem_.bias.assign(m, 0.0);
  problem_.compliance.assign(m, 0.0);
  problem_.row_error.assign(m, kRowError);
  problem_.velocity_scale = kStep;
}

void BrickWall::addBedJoints() {
  const double up[3] = {0.0, 0.0, 1.0};
  for (int brick = 0; brick < bricks(); ++brick) {
    const double *c = &centre_[3 * brick], bottom = c[2] - kHalf[2];
    const bool ground = brick < options_.columns;
    const int first = brick - brick % options_.columns - options_.columns;
    for (int below = ground ? -1 : first; below < (ground ? 0 : first + options_.columns); ++below) {
      const double centre = ground ? c[0] : centre_[3 * below];
      const double from = std::max(c[0], centre) - kHalf[0], to = std::min(c[0], centre) + kHalf[0];
      if (to - from < 1e-9) continue;
      for (const double x : {from, to})
        for (const double y : {-kHalf[1], kHalf[1]}) {
          const double point[3] = {x, y, bottom};
          addContact(below, brick, point, up);
        }
    }
  }
}

void BrickWall::addHeadJoints() {
  const double along[3] = {1.0, 0.0, 0.0};
  for (int brick = 0; brick + 1 < bricks(); ++brick) {
    if ((brick + 1) % options_.columns == 0) continue;
    const double* c = &centre_[3 * brick];
    for (const double y : {-kHalf[1], kHalf[1]})
      for (const double z : {-kHalf[2], kHalf[2]}) {
        const double point[3] = {c[0] + kHalf[0], y, c[2] + z};
        addContact(brick, brick + 1, point, along);
      }
  }
}

// Normal from brick 1 (−1: the ground) to brick 2.
void BrickWall::addContact(int brick_1, int brick_2, const double* point, const double* normal) {
  Block block;
  block.kind = BlockKind::kContact;
  block.row = factors_.block_row.back();
  block.mu = kFriction;
  block.id = {0, problem_.blocks.size() + 1};
  problem_.blocks.push_back(block);
  if (brick_1 >= 0) addSide(brick_1, -1.0, point, normal);
  addSide(brick_2, 1.0, point, normal);
  factors_.block_row.push_back(block.row + 3);
  factors_.first_side.push_back(static_cast<int>(factors_.sides.size()));
}

// A = Jᵀ, B = M⁻¹Jᵀ; rows are the normal and the two axes across it.
void BrickWall::addSide(int brick, double sign, const double* point, const double* normal) {
  factors_.sides.push_back({brick, static_cast<int>(factors_.freedoms.size()), 6, static_cast<int>(factors_.A.size())});
  const int axis = normal[0] != 0.0 ? 0 : 2;
  double arm[3];
  for (int k = 0; k < 3; ++k) arm[k] = point[k] - centre_[3 * brick + k];
  double J[3][6] = {};
  for (int r = 0; r < 3; ++r) {
    const int d = (axis + r) % 3;  // direction of the row; ω × arm in that direction = ω·(arm × e_d)
    J[r][d] = sign;
    J[r][3 + (d + 1) % 3] = sign * arm[(d + 2) % 3];
    J[r][3 + (d + 2) % 3] = -sign * arm[(d + 1) % 3];
  }
  for (int k = 0; k < 6; ++k) {
    factors_.freedoms.push_back(6 * brick + k);
    for (int r = 0; r < 3; ++r) {
      factors_.A.push_back(J[r][k]);
      factors_.B.push_back(J[r][k] / (mass_[brick] * (k < 3 ? 1.0 : inertia(k - 3))));
    }
  }
}

const ContactProblem& BrickWall::nextProblem() {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int brick = 0; brick < bricks(); ++brick) {
    velocity_[6 * brick + 2] -= kStep * kGravity;
    for (int k = 0; k < 3; ++k) velocity_[6 * brick + k] += kStep * kGravity * options_.push * uniform(random_);
  }
  std::fill(problem_.b.begin(), problem_.b.end(), 0.0);
  for (int block = 0; block < factors_.blocks(); ++block)
    for (int s = factors_.first_side[block]; s < factors_.first_side[block + 1]; ++s)
      for (int k = 0; k < 6; ++k)
        for (int r = 0; r < 3; ++r)
          problem_.b[3 * block + r] +=
              factors_.A[factors_.sides[s].offset + 3 * k + r] * velocity_[6 * factors_.sides[s].node + k];
  for (double& b : problem_.b) b += 0.1 * kRowError * uniform(random_);  // most are far below what is known of them
  return problem_;
}

void BrickWall::apply(const std::vector<double>& impulse) {
  for (int block = 0; block < factors_.blocks(); ++block)
    for (int s = factors_.first_side[block]; s < factors_.first_side[block + 1]; ++s)
      for (int k = 0; k < 6; ++k)
        for (int r = 0; r < 3; ++r)
          velocity_[6 * factors_.sides[s].node + k] +=
              factors_.B[factors_.sides[s].offset + 3 * k + r] * impulse[3 * block + r];
}

double BrickWall::speed() const {
  double speed = 0.0;
  for (const double v : velocity_) speed = std::max(speed, std::abs(v));
  return speed;
}

}  // namespace rigor
