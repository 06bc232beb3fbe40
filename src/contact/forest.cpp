#include "contact/forest.h"

#include <algorithm>

namespace rigor {
namespace {

constexpr int kSpace = DelassusForest::kSpace, kSquare = kSpace * kSpace;

double dot(const double* a, const double* b) {
  double sum = 0.0;
  for (int k = 0; k < kSpace; ++k) sum += a[k] * b[k];
  return sum;
}
void add(double factor, const double* a, double* to) {
  for (int k = 0; k < kSpace; ++k) to[k] += factor * a[k];
}
// out = M a, out = Mᵀ a.
void multiply(const double* M, const double* a, double* out) {
  for (int r = 0; r < kSpace; ++r) out[r] = dot(M + r * kSpace, a);
}
void multiplyTransposed(const double* M, const double* a, double* out) {
  std::fill_n(out, kSpace, 0.0);
  for (int r = 0; r < kSpace; ++r) add(a[r], M + r * kSpace, out);
}
// M += factor a bᵀ.
void addOuter(double factor, const double* a, const double* b, double* M) {
  for (int r = 0; r < kSpace; ++r) add(factor * a[r], b, M + r * kSpace);
}

// The joint of a link takes its part of the force f on it: r of its freedoms, and what goes on to its parent.
void passInward(const DelassusForest& forest, const ForestFactors& factors, int node, const double* torque, double* f,
                double* r) {
  for (int k = forest.joints(node) - 1; k >= 0; --k) {
    const int j = forest.joint_start[node] + k;
    r[k] = torque[k] + dot(&forest.force_columns[j * kSpace], f);
    add(-r[k] * factors.inverse_d[j], &factors.U[j * kSpace], f);
  }
}

// V of the parent becomes that of the link, r the motion of its joint.
void passOutward(const DelassusForest& forest, const ForestFactors& factors, int node, double* V, double* r) {
  for (int k = 0; k < forest.joints(node); ++k) {
    const int j = forest.joint_start[node] + k;
    r[k] = factors.inverse_d[j] * (r[k] - dot(&factors.L[j * kSpace], V));
    add(r[k], &forest.motion_columns[j * kSpace], V);
  }
}

// Λ of the parent, or 0, becomes that of the link.
void passMobility(const DelassusForest& forest, const ForestFactors& factors, int node, double* mobility) {
  for (int k = 0; k < forest.joints(node); ++k) {
    const int j = forest.joint_start[node] + k;
    const double *S = &forest.force_columns[j * kSpace], *S_end = &forest.motion_columns[j * kSpace];
    const double *U = &factors.U[j * kSpace], *L = &factors.L[j * kSpace], inverse = factors.inverse_d[j];
    double of_force[kSpace], of_motion[kSpace];  // Λ U, Λᵀ L
    multiply(mobility, U, of_force);
    multiplyTransposed(mobility, L, of_motion);
    const double both = dot(L, of_force);
    addOuter(-inverse, of_force, S, mobility);
    addOuter(-inverse, S_end, of_motion, mobility);
    addOuter(inverse * (1.0 + inverse * both), S_end, S, mobility);
  }
}

}  // namespace

void DelassusForest::clear() {
  parent.clear();
  joint_start.assign(1, 0);
  for (auto* array : {&shift, &own, &force_columns, &motion_columns, &diagonal}) array->clear();
}

void shiftInward(const double* shift, double* M, int stride) {
  for (int column = 0; column < kSpace; ++column) shiftForce(shift, M + column, stride);
  for (int row = 0; row < kSpace; ++row) shiftForce(shift, M + row * stride);  // (Xᵀ from the right) = (X on each row)
}

void factorForest(const DelassusFactors& factors, ForestFactors& out) {
  const DelassusForest& forest = factors.forest;
  const int nodes = factors.nodes();
  const std::size_t joints = forest.diagonal.size();
  out.U.resize(joints * kSpace);
  out.L.resize(joints * kSpace);
  out.inverse_d.resize(joints);
  out.passed.resize(joints);
  out.articulated = forest.own;
  out.mobility.assign(static_cast<std::size_t>(nodes) * kSquare, 0.0);
  out.root.resize(nodes);
  for (int node = nodes - 1; node >= 0; --node) {
    if (!forest.isLink(node)) continue;
    double* I = &out.articulated[node * kSquare];
    for (int j = forest.joint_start[node + 1] - 1; j >= forest.joint_start[node]; --j) {
      double *U = &out.U[j * kSpace], *L = &out.L[j * kSpace];
      multiply(I, &forest.motion_columns[j * kSpace], U);
      multiplyTransposed(I, &forest.force_columns[j * kSpace], L);
      out.inverse_d[j] = 1.0 / (dot(&forest.force_columns[j * kSpace], U) + forest.diagonal[j]);
      addOuter(-out.inverse_d[j], U, L, I);
    }
    if (const int parent = forest.parent[node]; parent >= 0) {
      shiftInward(&forest.shift[3 * node], I, kSpace);
      for (int k = 0; k < kSquare; ++k) out.articulated[parent * kSquare + k] += I[k];
    }
  }
  for (int node = 0; node < nodes; ++node) {
    const int parent = forest.parent[node];
    out.root[node] = parent >= 0 ? out.root[parent] : node;
    if (!forest.isLink(node)) continue;
    double* mobility = &out.mobility[node * kSquare];
    if (parent >= 0) {
      std::copy_n(&out.mobility[parent * kSquare], kSquare, mobility);
      for (int column = 0; column < kSpace; ++column) shiftMotion(&forest.shift[3 * node], mobility + column, kSpace);
      for (int row = 0; row < kSpace; ++row) shiftMotion(&forest.shift[3 * node], mobility + row * kSpace);
    }
    passMobility(forest, out, node, mobility);
  }
}

void solveForest(const DelassusFactors& factors, const ForestFactors& out, double* x) {
  const DelassusForest& forest = factors.forest;
  const std::vector<int>& start = factors.node_start;
  for (int node = factors.nodes() - 1; node >= 0; --node) {
    if (!forest.isLink(node)) continue;
    double *f = x + start[node], *r = f + kSpace;
    passInward(forest, out, node, r, f, r);
    if (const int parent = forest.parent[node]; parent >= 0) {
      shiftForce(&forest.shift[3 * node], f);
      add(1.0, f, x + start[parent]);
    }
  }
  for (int node = 0; node < factors.nodes(); ++node) {
    if (!forest.isLink(node)) continue;
    double* V = x + start[node];
    std::fill_n(V, kSpace, 0.0);
    if (const int parent = forest.parent[node]; parent >= 0) {
      std::copy_n(x + start[parent], kSpace, V);
      shiftMotion(&forest.shift[3 * node], V);
    }
    passOutward(forest, out, node, V, V + kSpace);
  }
}

void respond(const DelassusFactors& factors, const ForestFactors& out, int from, const double* force, int to,
             double* motion) {
  const DelassusForest& forest = factors.forest;
  if (!forest.isLink(from)) {  // it stands alone
    std::copy_n(force, factors.node_start[from + 1] - factors.node_start[from], motion);
    return;
  }
  int above = from, meeting = to;  // the last node above both: parents come before their children
  while (above != meeting) {
    int& later = above > meeting ? above : meeting;
    later = forest.parent[later];
  }
  if (above == from || above == to) above = forest.parent[above];
  out.path.clear();
  for (int node = to; node != above; node = forest.parent[node]) {
    out.path.push_back(node);
    std::fill_n(out.passed.begin() + forest.joint_start[node], forest.joints(node), 0.0);
  }
  double f[kSpace], V[kSpace] = {};
  std::copy_n(force, kSpace, f);
  static constexpr double kNone[kSpace] = {};
  for (int node = from; node != above; node = forest.parent[node]) {
    passInward(forest, out, node, node == from ? force + kSpace : kNone, f, &out.passed[forest.joint_start[node]]);
    shiftForce(&forest.shift[3 * node], f);
  }
  if (above >= 0) multiply(&out.mobility[above * kSquare], f, V);
  for (auto node = out.path.rbegin(); node != out.path.rend(); ++node) {
    shiftMotion(&forest.shift[3 * *node], V);
    passOutward(forest, out, *node, V, &out.passed[forest.joint_start[*node]]);
  }
  std::copy_n(V, kSpace, motion);
  std::copy_n(out.passed.begin() + forest.joint_start[to], forest.joints(to), motion + kSpace);
}

}  // namespace rigor
