// The tree of boxes over the triangles of a surface.
#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

#include "geometry/triangle_surface.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr int kLeaf = 4;
constexpr int kDeepest = 64;  // halves of halves: more triangles than memory holds

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr AxisBox kNothing{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};

/// Halves the triangles order[first …] along the longest side of the box around them, until few are left.
void build(Surface& surface, const std::vector<Vec>& centres, int node, int first, int count) {
  AxisBox box = kNothing;
  for (int i = first; i < first + count; ++i)
    for (int k = 0; k < 3; ++k) grow(box, surface.vertexOf(surface.order[i], k));
  surface.nodes[node] = {box, first, count};
  if (count <= kLeaf) return;
  const Vec size = box.high - box.low;
  double Vec::* const axis = size.x >= size.y && size.x >= size.z ? &Vec::x : size.y >= size.z ? &Vec::y : &Vec::z;
  const auto begin = surface.order.begin() + first;
  std::nth_element(begin, begin + count / 2, begin + count, [&](int a, int b) {
    return centres[a].*axis != centres[b].*axis ? centres[a].*axis < centres[b].*axis : a < b;
  });
  const int children = static_cast<int>(surface.nodes.size());
  surface.nodes.resize(children + 2);
  surface.nodes[node].first = children, surface.nodes[node].count = 0;
  build(surface, centres, children, first, count / 2);
  build(surface, centres, children + 1, first + count / 2, count - count / 2);
}

AxisBox boxOf(const Surface& surface, int triangle) {
  AxisBox box = kNothing;
  for (int k = 0; k < 3; ++k) grow(box, surface.vertexOf(triangle, k));
  return box;
}

bool meet(const AxisBox& a, const AxisBox& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}

double lowestAlong(const Vec& n, const AxisBox& box) {
  return (n.x > 0.0 ? n.x * box.low.x : n.x * box.high.x) + (n.y > 0.0 ? n.y * box.low.y : n.y * box.high.y) +
         (n.z > 0.0 ? n.z * box.low.z : n.z * box.high.z);
}

template <class Wanted>
void collect(const Surface& surface, const Wanted& wanted, std::vector<int>& found) {
  found.clear();
  if (surface.nodes.empty()) return;
  int waiting[kDeepest], count = 0;
  waiting[count++] = 0;
  while (count > 0) {
    const Surface::Node& node = surface.nodes[waiting[--count]];
    if (!wanted(node.box)) continue;
    for (int i = node.first; i < node.first + node.count; ++i)
      if (wanted(boxOf(surface, surface.order[i]))) found.push_back(surface.order[i]);
    if (node.count > 0) continue;
    assert(count + 2 <= kDeepest && "halves of halves");
    waiting[count++] = node.first, waiting[count++] = node.first + 1;
  }
  std::sort(found.begin(), found.end());
}

}  // namespace

void makeTree(Surface& surface) {
  surface.nodes.clear();
  surface.order.resize(surface.triangles);
  if (surface.triangles == 0) return;
  std::iota(surface.order.begin(), surface.order.end(), 0);
  std::vector<Vec> centres;
  for (int t = 0; t < surface.triangles; ++t)
    centres.push_back(surface.vertexOf(t, 0) + surface.vertexOf(t, 1) + surface.vertexOf(t, 2));
  surface.nodes.reserve(surface.triangles);
  surface.nodes.resize(1);
  build(surface, centres, 0, 0, surface.triangles);
}

void findTriangles(const Surface& surface, const AxisBox& box, std::vector<int>& found) {
  collect(surface, [&](const AxisBox& other) { return meet(box, other); }, found);
}

void findTrianglesBelow(const Surface& surface, const Vec& n, double height, std::vector<int>& found) {
  collect(surface, [&](const AxisBox& box) { return lowestAlong(n, box) <= height; }, found);
}

}  // namespace rigor
