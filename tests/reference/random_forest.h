// A random forest of links and nodes that stand alone, with rows on them, and its matrices written out.
#pragma once

#include <Eigen/Dense>
#include <random>

#include "rigor/delassus_matrix.h"

namespace rigor {

struct RandomForest {
  DelassusFactors factors;
  Eigen::MatrixXd forces,
      motions;          ///< [freedoms × unknowns] what the nodes get of joints, and of nodes that stand alone
  Eigen::MatrixXd own;  ///< [freedoms × freedoms] of the links themselves, and the diagonal

  /// `nodes` links, some of them roots, each fifth node alone; `blocks` rows on one or two of them.
  RandomForest(int nodes, int blocks, std::mt19937& random) {
    std::uniform_int_distribution<int> pick(0, 1 << 20);
    std::normal_distribution<double> normal;
    const auto draw = [&](int count, double size, std::vector<double>& to) {
      for (int i = 0; i < count; ++i) to.push_back(size * normal(random));
    };
    DelassusForest& forest = factors.forest;
    for (int node = 0; node < nodes; ++node) {
      const bool alone = node % 5 == 4;
      int parent = pick(random) % (node + 1) - 1;
      if (alone || (parent >= 0 && forest.parent[parent] == DelassusForest::kAlone)) parent = -1;
      const int joints = alone ? 0 : parent < 0 ? 6 : 1 + pick(random) % 3;
      forest.parent.push_back(alone ? DelassusForest::kAlone : parent);
      forest.joint_start.push_back(forest.joint_start.back() + joints);
      factors.node_start.push_back(factors.node_start.back() + 6 + (alone ? pick(random) % 4 : joints));
      Eigen::Matrix<double, 6, 6> A = Eigen::Matrix<double, 6, 6>::NullaryExpr([&] { return normal(random); });
      Eigen::Matrix<double, 6, 6> skew = Eigen::Matrix<double, 6, 6>::NullaryExpr([&] { return normal(random); });
      A = (A * A.transpose()).eval() + 0.1 * skew;
      A.diagonal().array() += 1.0;
      for (int k = 0; k < 36; ++k) forest.own.push_back(A(k / 6, k % 6));
      draw(3, 1.0, forest.shift);
      const std::size_t before = forest.force_columns.size();
      draw(6 * joints, 1.0, forest.force_columns);
      for (std::size_t k = before; k < forest.force_columns.size(); ++k)
        forest.motion_columns.push_back(forest.force_columns[k] + 0.05 * normal(random));
      for (int k = 0; k < joints; ++k) forest.diagonal.push_back(std::abs(normal(random)));
    }
    for (int block = 0; block < blocks; ++block) addBlock(block, pick(random), pick(random), draw);
    writeOut();
  }

 private:
  template <class Draw>
  void addBlock(int block, int first, int second, const Draw& draw) {
    const int rows = block % 4 == 3 ? 1 : 3, nodes = factors.nodes();
    for (const int node : {first % nodes, second % nodes}) {
      const bool link = factors.forest.isLink(node), of_joint = link && rows == 1;
      const int start = factors.node_start[node] + (of_joint ? 6 : 0), length = of_joint ? 1 : 6;
      factors.sides.push_back(
          {node, static_cast<int>(factors.freedoms.size()), length, static_cast<int>(factors.A.size())});
      for (int k = 0; k < length; ++k) factors.freedoms.push_back(start + k);
      draw(rows * length, 1.0, factors.A);
      draw(rows * length, 1.0, factors.B);
      if (first % nodes == second % nodes) break;
    }
    factors.block_row.push_back(factors.block_row.back() + rows);
    factors.first_side.push_back(static_cast<int>(factors.sides.size()));
  }

  void writeOut() {
    const DelassusForest& forest = factors.forest;
    const int n = factors.freedomCount();
    int unknowns = 0;
    for (int node = 0; node < factors.nodes(); ++node)
      unknowns += forest.isLink(node) ? forest.joints(node) : factors.node_start[node + 1] - factors.node_start[node];
    forces = motions = Eigen::MatrixXd::Zero(n, unknowns);
    own = Eigen::MatrixXd::Zero(n, n);
    for (int node = 0, x = 0; node < factors.nodes(); ++node) {
      const int start = factors.node_start[node], size = factors.node_start[node + 1] - start;
      if (!forest.isLink(node)) {
        for (int k = 0; k < size; ++k, ++x)
          forces(start + k, x) = motions(start + k, x) = own(start + k, start + k) = 1.0;
        continue;
      }
      if (const int parent = forest.parent[node]; parent >= 0) {
        const double* d = &forest.shift[3 * node];
        Eigen::Matrix3d turned;  // ω × d = turned · ω
        turned << 0, d[2], -d[1], -d[2], 0, d[0], d[1], -d[0], 0;
        for (auto* map : {&forces, &motions}) {
          map->middleRows(start, 6) = map->middleRows(factors.node_start[parent], 6).eval();
          map->middleRows(start, 3) += turned * map->middleRows(start + 3, 3);
        }
      }
      for (int k = 0, j = forest.joint_start[node]; k < forest.joints(node); ++k, ++j, ++x) {
        forces.block(start, x, 6, 1) = Eigen::Map<const Eigen::VectorXd>(&forest.force_columns[6 * j], 6);
        motions.block(start, x, 6, 1) = Eigen::Map<const Eigen::VectorXd>(&forest.motion_columns[6 * j], 6);
        forces(start + 6 + k, x) = motions(start + 6 + k, x) = 1.0;
        own(start + 6 + k, start + 6 + k) = forest.diagonal[j];
      }
      for (int k = 0; k < 36; ++k) own(start + k / 6, start + k % 6) = forest.own[36 * node + k];
    }
  }

 public:
  /// Motions of the nodes per force on them where `more` joins what they are themselves.
  Eigen::MatrixXd respond(const Eigen::MatrixXd& more) const {
    return motions * (forces.transpose() * (own + more) * motions).partialPivLu().solve(forces.transpose().eval());
  }
  /// A or B, [freedoms × rows].
  Eigen::MatrixXd columns(const std::vector<double>& of) const {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(factors.freedomCount(), factors.block_row.back());
    for (int block = 0; block < factors.blocks(); ++block) {
      const int row = factors.block_row[block], rows = factors.block_row[block + 1] - row;
      for (int s = factors.first_side[block]; s < factors.first_side[block + 1]; ++s)
        for (int k = 0; k < factors.sides[s].length; ++k)
          for (int r = 0; r < rows; ++r)
            out(factors.freedoms[factors.sides[s].first + k], row + r) += of[factors.sides[s].offset + k * rows + r];
    }
    return out;
  }
};

}  // namespace rigor
