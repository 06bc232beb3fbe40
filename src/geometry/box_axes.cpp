#include "geometry/box_axes.h"

#include <cmath>
#include <limits>

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNearlyParallel = 1e-6;  ///< sine: below it rounding of the short formula shows
constexpr double kTie = 4e-16;            ///< of the scale: a face is taken before edges that are no better

/// The second box in the frame of the first.
struct Boxes {
  double a[3], b[3];           ///< half extents
  double R[3][3], size[3][3];  ///< R[i][j]: axis j of the second along axis i of the first; absolute values
  double t[3], t_b[3];         ///< way between the centres, in the axes of the first and of the second

  explicit Boxes(const DifferenceShape& d)
      : a{d.a.size.x, d.a.size.y, d.a.size.z}, b{d.b.size.x, d.b.size.y, d.b.size.z} {
    const Mat3<double>&A = d.a.X_WS.R, &B = d.b.X_WS.R;
    const Vec way = d.b.X_WS.p - d.a.X_WS.p, *axes_a[3] = {&A.x, &A.y, &A.z}, *axes_b[3] = {&B.x, &B.y, &B.z};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) R[i][j] = dot(*axes_a[i], *axes_b[j]), size[i][j] = std::fabs(R[i][j]);
      t[i] = dot(*axes_a[i], way), t_b[i] = dot(*axes_b[i], way);
    }
  }
};

const Vec& axisOf(const Mat3<double>& R, int i) { return i == 0 ? R.x : i == 1 ? R.y : R.z; }

/// Number of the edge along axis i that reaches farthest along d, given in the axes of the box.
int farthestEdge(int i, const Vec& d) {
  const double along[3] = {d.x, d.y, d.z};
  return 4 * i + (along[(i + 1) % 3] >= 0.0 ? 1 : 0) + (along[(i + 2) % 3] >= 0.0 ? 2 : 0);
}

/// Best normal of a face: 0 … 2 of the first, 3 … 5 of the second.
double bestFace(const Boxes& boxes, int& number) {
  double best = -kInfinity;
  for (int i = 0; i < 3; ++i) {
    const double reach = boxes.b[0] * boxes.size[i][0] + boxes.b[1] * boxes.size[i][1] + boxes.b[2] * boxes.size[i][2];
    if (const double s = std::fabs(boxes.t[i]) - boxes.a[i] - reach; s > best) best = s, number = i;
  }
  for (int j = 0; j < 3; ++j) {
    const double reach = boxes.a[0] * boxes.size[0][j] + boxes.a[1] * boxes.size[1][j] + boxes.a[2] * boxes.size[2][j];
    if (const double s = std::fabs(boxes.t_b[j]) - boxes.b[j] - reach; s > best) best = s, number = 3 + j;
  }
  return best;
}

Axis axisOfFace(const DifferenceShape& difference, const Boxes& boxes, int number, double separation) {
  if (number < 3) {
    const bool positive = boxes.t[number] >= 0.0;
    const Vec& axis = axisOf(difference.a.X_WS.R, number);
    return {positive ? axis : -axis, separation, AxisKind::kFace1, 2 * number + (positive ? 1 : 0), -1};
  }
  const int j = number - 3;
  const bool positive = boxes.t_b[j] < 0.0;  // the face that looks at the first box
  const Vec& axis = axisOf(difference.b.X_WS.R, j);
  return {positive ? -axis : axis, separation, AxisKind::kFace2, -1, 2 * j + (positive ? 1 : 0)};
}

Axis axisOfEdges(const DifferenceShape& difference, int i, int j) {
  Vec n = cross(axisOf(difference.a.X_WS.R, i), axisOf(difference.b.X_WS.R, j));
  n *= (dot(n, difference.b.X_WS.p - difference.a.X_WS.p) >= 0.0 ? 1.0 : -1.0) / norm(n);
  // measured, not taken from the formula: whatever rounding did to n, this is a true separation
  return {n, -dot(n, difference.support(n).w), AxisKind::kEdges,
          farthestEdge(i, transposeTimes(difference.a.X_WS.R, n)),
          farthestEdge(j, transposeTimes(difference.b.X_WS.R, -n))};
}

}  // namespace

Axis findBoxAxis(const DifferenceShape& difference) {
  const Boxes boxes(difference);
  int face = 0, edge_a = -1, edge_b = -1;
  const double of_face = bestFace(boxes, face);
  Axis best = axisOfFace(difference, boxes, face, of_face);
  double of_edges = of_face;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double x = boxes.R[i1][j], y = boxes.R[i2][j];  // axis i × axis j is (−y, x) along i1, i2
      const double sine2 = x * x + y * y;
      const double inner = std::fabs(boxes.t[i2] * x - boxes.t[i1] * y) - boxes.a[i1] * boxes.size[i2][j] -
                           boxes.a[i2] * boxes.size[i1][j] - boxes.b[j1] * boxes.size[i][j2] -
                           boxes.b[j2] * boxes.size[i][j1];
      if (sine2 < kNearlyParallel * kNearlyParallel) {
        if (!(sine2 > 1e-26)) continue;
        if (const Axis axis = axisOfEdges(difference, i, j);
            axis.separation > best.separation + kTie * difference.scale)
          best = axis;
        continue;
      }
      // inner / √sine² > of_edges, without the root where it is clear
      if (inner < 0.0 && of_edges >= 0.0) continue;
      if (const double s = inner / std::sqrt(sine2); s > of_edges) of_edges = s, edge_a = i, edge_b = j;
    }
  if (edge_a < 0) return best;
  const Axis axis = axisOfEdges(difference, edge_a, edge_b);
  return axis.separation > best.separation + kTie * difference.scale ? axis : best;
}

}  // namespace rigor
