#include "geometry/manifold.h"

#include <algorithm>
#include <cmath>

#include "geometry/gap.h"
#include "geometry/patch.h"
#include "geometry/round_pair.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kSame = 1e-9;           ///< of the size: points this near to each other are one
constexpr double kOnLine = 1e-12;        ///< of the size: corners this far outside of a side are on it
constexpr double kParallelLines = 1e-3;  ///< sine: lines that touch along a length, not at a point
constexpr int kAzimuths = 8;             ///< points of a rim that are fixed to the shape

/// Seen along the normal: x and y across it, z the height along it.
struct View {
  Vec origin, x, y, n;

  Vec into(const Vec& p) const { return {dot(x, p), dot(y, p), dot(n, p)}; }
  Vec outOf(const Vec& p) const { return origin + p.x * x + p.y * y + p.z * n; }
};

/// Height of a plane over (x, y).
struct Slope {
  double at_zero = 0.0, by_x = 0.0, by_y = 0.0;

  Slope(const View& view, const Vec& normal, const Vec& point) {
    const Vec m = view.into(normal), p = view.into(point);
    by_x = -m.x / m.z, by_y = -m.y / m.z;
    at_zero = p.z - by_x * p.x - by_y * p.y;
  }
  double operator()(double x, double y) const { return at_zero + by_x * x + by_y * y; }
};

struct Collector {
  const View& view;
  double margin, size;
  std::vector<ManifoldPoint>& out;
  std::size_t first = out.size();

  /// A point over (x, y) with the heights of both surfaces.
  void add(double x, double y, double height_1, double height_2) {
    const double gap = height_2 - height_1;
    if (!(gap <= margin)) return;
    const Vec point_1 = view.outOf({x, y, height_1});
    for (std::size_t i = first; i < out.size(); ++i) {
      const Vec d = out[i].point_1 - point_1;
      if (dot(d, d) < kSame * kSame * size * size) return;
    }
    out.push_back({point_1, view.outOf({x, y, height_2}), view.n, gap});
  }
  /// One of the surfaces is `side` (0, 1), the other has the height `other`.
  void add(int side, const Vec& on_side, double other) {
    add(on_side.x, on_side.y, side == 0 ? on_side.z : other, side == 0 ? other : on_side.z);
  }
};

/// The part of a polygon or segment (`closed` or not) that lies to the left of the line from `from` to `to`.
int clip(const Corner* in, int count, bool closed, const Vec& from, const Vec& to, double left, double tolerance,
         Corner* out) {
  const double way_x = to.x - from.x, way_y = to.y - from.y;
  const double scale = left / std::sqrt(way_x * way_x + way_y * way_y);
  const auto side = [&](const Corner& p) { return scale * (way_x * (p.y - from.y) - way_y * (p.x - from.x)); };
  int made = 0;
  for (int i = 0; i < count; ++i) {
    const Corner& p = in[i];
    const double here = side(p);
    if (here >= -tolerance) out[made++] = p;
    if (!closed && i + 1 == count) break;
    const Corner& q = in[i + 1 < count ? i + 1 : 0];
    const double there = side(q);
    if ((here < -tolerance && there > tolerance) || (here > tolerance && there < -tolerance)) {
      const double t = here / (here - there);
      out[made++] = {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.z + t * (q.z - p.z)};
    }
  }
  return made;
}

/// A polygon or segment `inner` of shape `side` against the polygon `outer` of the other.
void clipByPolygon(Collector& collector, const Patch& inner, int side, const Patch& outer) {
  Corner buffer[2][2 * kMostCorners];
  int count = inner.count;
  for (int i = 0; i < count; ++i) {
    const Vec p = collector.view.into(inner.at(i));
    buffer[0][i] = {p.x, p.y, p.z};
  }
  const double left = side == 0 ? -1.0 : 1.0;  // seen along the normal, faces of shape 2 run clockwise
  const bool closed = inner.kind == PatchKind::kPolygon;
  int now = 0;
  Vec from = collector.view.into(outer.at(outer.count - 1));
  for (int i = 0; i < outer.count && count > 0; ++i, now = 1 - now) {
    const Vec to = collector.view.into(outer.at(i));
    count = clip(buffer[now], count, closed, from, to, left, kOnLine * collector.size, buffer[1 - now]);
    from = to;
  }
  const Slope slope(collector.view, outer.normal, outer.at(0));
  for (int i = 0; i < count; ++i) {
    const Corner& p = buffer[now][i];
    collector.add(side, {p.x, p.y, p.z}, slope(p.x, p.y));
  }
}

void crossSegments(Collector& collector, const Patch& patch_1, const Patch& patch_2) {
  const Vec p = collector.view.into(patch_1.at(0)), u = collector.view.into(patch_1.at(1)) - p;
  const Vec q = collector.view.into(patch_2.at(0)), v = collector.view.into(patch_2.at(1)) - q;
  const double length_u = std::sqrt(u.x * u.x + u.y * u.y), length_v = std::sqrt(v.x * v.x + v.y * v.y);
  const double area = u.x * v.y - u.y * v.x, x = q.x - p.x, y = q.y - p.y;
  if (!(length_u > 0.0 && length_v > 0.0)) return;
  if (std::fabs(area) > kParallelLines * length_u * length_v) {
    const double s = (x * v.y - y * v.x) / area, t = (x * u.y - y * u.x) / area;
    if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0) return;
    return collector.add(p.x + s * u.x, p.y + s * u.y, p.z + s * u.z, q.z + t * v.z);
  }
  // side by side: both ends of the common length, by the parameter of the first
  const double square = length_u * length_u;
  const double start = (x * u.x + y * u.y) / square, end = start + (v.x * u.x + v.y * u.y) / square;
  const double low = std::max(0.0, std::min(start, end)), high = std::min(1.0, std::max(start, end));
  if (low > high) return;
  for (const double s : {low, high}) {
    const double t = std::clamp((s - start) / (end - start), 0.0, 1.0);
    collector.add(p.x + s * u.x, p.y + s * u.y, p.z + s * u.z, q.z + t * v.z);
  }
}

/// The plane of a disc with its centre as origin; what is there is brought along the normal of the contact.
struct DiscPlane {
  const Patch& disc;
  const Vec& n;
  Vec x, y;

  DiscPlane(const Patch& of, const Vec& along) : disc(of), n(along), x(of.zero), y(cross(of.normal, of.zero)) {}

  Vec bring(const Vec& p) const {
    const Vec d = p - disc.centre, there = d - (dot(disc.normal, d) / dot(disc.normal, n)) * n;
    return {dot(x, there), dot(y, there), 0.0};
  }
  Vec at(double u, double v) const { return disc.centre + u * x + v * y; }
  bool holds(const Vec& p) const { return p.x * p.x + p.y * p.y <= disc.radius * disc.radius * (1.0 + 1e-12); }
};

/// Parameters t of [0, 1] at which p + t way crosses the rim.
int crossRim(double radius, const Vec& p, const Vec& way, double t[2]) {
  const double a = way.x * way.x + way.y * way.y, b = p.x * way.x + p.y * way.y;
  const double c = p.x * p.x + p.y * p.y - radius * radius, root2 = b * b - a * c;
  if (!(a > 0.0) || root2 < 0.0) return 0;
  int count = 0;
  for (const double sign : {-1.0, 1.0}) {
    const double at = (-b + sign * std::sqrt(root2)) / a;
    if (at >= 0.0 && at <= 1.0) t[count++] = at;
  }
  return count;
}

/// Points of a rim: fixed azimuths, and the one that reaches farthest along `out`.
template <class Visit>
void visitRim(const DiscPlane& plane, const Vec& out, Visit visit) {
  const double r = plane.disc.radius, along_x = dot(plane.x, out), along_y = dot(plane.y, out);
  const double reach = std::sqrt(along_x * along_x + along_y * along_y);
  if (reach > 1e-12) visit(r * along_x / reach, r * along_y / reach);
  for (int k = 0; k < kAzimuths; ++k) {
    const SinCos<double> angle = sincos(2.0 * 3.14159265358979323846 / kAzimuths * k);
    visit(r * angle.cos, r * angle.sin);
  }
}

/// A disc of shape `side` with a polygon or segment of the other: corners within the rim, crossings, points of the rim.
void meetDisc(Collector& collector, const Patch& disc, int side, const Patch& other) {
  const View& view = collector.view;
  const DiscPlane plane(disc, view.n);
  const Slope disc_slope(view, disc.normal, disc.centre);
  const auto addOther = [&](const Vec& on_other) {
    const Vec p = view.into(on_other);
    collector.add(1 - side, p, disc_slope(p.x, p.y));
  };
  const bool polygon = other.kind == PatchKind::kPolygon;
  for (int i = 0; i < other.count; ++i) {
    const Vec from = other.at(i), here = plane.bring(from);
    if (plane.holds(here)) addOther(from);
    if (!polygon && i + 1 == other.count) break;
    const Vec to = other.at(i + 1 < other.count ? i + 1 : 0);
    double t[2];
    for (int k = 0, count = crossRim(disc.radius, here, plane.bring(to) - here, t); k < count; ++k)
      addOther(from + t[k] * (to - from));
  }
  if (!polygon) return;
  const Slope slope(view, other.normal, other.at(0));
  const double left = side == 0 ? -1.0 : 1.0;
  visitRim(plane, side == 0 ? view.n : -view.n, [&](double u, double v) {
    const Vec p = view.into(plane.at(u, v));
    for (int i = 0; i < other.count; ++i) {
      const Vec from = view.into(other.at(i)), to = view.into(other.at(i + 1 < other.count ? i + 1 : 0));
      if (left * ((to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x)) < 0.0) return;
    }
    collector.add(side, p, slope(p.x, p.y));
  });
}

/// Turns a point of the rim of `own` until it is over the rim of `other`; exact at once where the discs are parallel.
bool turnToRim(const DiscPlane& own, const DiscPlane& other, double& azimuth) {
  const double r = own.disc.radius, goal = other.disc.radius * other.disc.radius;
  const auto beyond = [&](double angle) {
    const auto [sine, cosine] = sincos(angle);
    const Vec p = other.bring(own.at(r * cosine, r * sine));
    return p.x * p.x + p.y * p.y - goal;
  };
  double last = azimuth + 1e-4, beyond_last = beyond(last);
  for (int step = 0; step < 12; ++step) {
    const double now = beyond(azimuth);
    if (std::fabs(now) <= 1e-13 * goal) return true;
    if (now == beyond_last) return false;
    const double next = azimuth - now * (azimuth - last) / (now - beyond_last);
    last = azimuth, beyond_last = now, azimuth = next;
  }
  return false;
}

void meetDiscs(Collector& collector, const Patch& disc_1, const Patch& disc_2) {
  const View& view = collector.view;
  const Slope slopes[2] = {{view, disc_1.normal, disc_1.centre}, {view, disc_2.normal, disc_2.centre}};
  const DiscPlane planes[2] = {{disc_1, view.n}, {disc_2, view.n}};
  for (int side = 0; side < 2; ++side) {
    const DiscPlane &own = planes[side], &other = planes[1 - side];
    visitRim(own, side == 0 ? view.n : -view.n, [&](double u, double v) {
      const Vec on_rim = own.at(u, v), p = view.into(on_rim);
      if (other.holds(other.bring(on_rim))) collector.add(side, p, slopes[1 - side](p.x, p.y));
    });
  }
  // crossings of the rims: of circles first
  const Vec c = planes[0].bring(disc_2.centre);
  const double d2 = c.x * c.x + c.y * c.y, r1 = disc_1.radius, r2 = disc_2.radius;
  const double along = 0.5 * (d2 + r1 * r1 - r2 * r2), across2 = r1 * r1 * d2 - along * along;
  if (!(d2 > 0.0) || across2 < 0.0) return;
  for (const double sign : {-1.0, 1.0}) {
    double azimuth = arctan2(c.y, c.x) + sign * arctan2(std::sqrt(across2), along);
    if (!turnToRim(planes[0], planes[1], azimuth)) continue;
    const auto [sine, cosine] = sincos(azimuth);
    const Vec p = view.into(planes[0].at(r1 * cosine, r1 * sine));
    collector.add(0, p, slopes[1](p.x, p.y));
  }
}

bool touchesAtAPoint(const ConvexShape& shape) {
  return shape.kind == ShapeKind::kSphere || shape.kind == ShapeKind::kEllipsoid;
}

void meet(Collector& collector, const Patch& patch_1, const Patch& patch_2) {
  const auto is = [](const Patch& patch, PatchKind kind) { return patch.kind == kind; };
  if (is(patch_1, PatchKind::kPoint) || is(patch_2, PatchKind::kPoint)) return;
  const bool disc_1 = is(patch_1, PatchKind::kDisc), disc_2 = is(patch_2, PatchKind::kDisc);
  if (disc_1 && disc_2) return meetDiscs(collector, patch_1, patch_2);
  if (disc_1) return meetDisc(collector, patch_1, 0, patch_2);
  if (disc_2) return meetDisc(collector, patch_2, 1, patch_1);
  if (is(patch_1, PatchKind::kSegment) && is(patch_2, PatchKind::kSegment))
    return crossSegments(collector, patch_1, patch_2);
  if (is(patch_1, PatchKind::kPolygon) && (is(patch_2, PatchKind::kSegment) || patch_2.count <= patch_1.count))
    return clipByPolygon(collector, patch_2, 1, patch_1);
  clipByPolygon(collector, patch_1, 0, patch_2);
}

}  // namespace

void addPatchPoints(const ConvexShape& a, const ConvexShape& b, const Separation& separation, double margin,
                    std::vector<ManifoldPoint>& out) {
  const Vec& n = separation.normal;
  View view{separation.point_1, {}, {}, n};
  makeTangents(n, view.x, view.y);
  Collector collector{view, margin, std::max(radiusAbout(a), radiusAbout(b)), out};
  const bool edges = separation.axis == AxisKind::kEdges;
  Patch patch_1, patch_2;
  patch_1.fill(a, n, view.origin, edges ? -1 : separation.feature_1, edges ? separation.feature_1 : -1);
  patch_2.fill(b, -n, view.origin, edges ? -1 : separation.feature_2, edges ? separation.feature_2 : -1);
  meet(collector, patch_1, patch_2);
}

void addManifold(const ConvexShape& a, const ConvexShape& b, const Separation& separation, double margin,
                 std::vector<ManifoldPoint>& out) {
  if (!(separation.distance <= margin)) return;
  const std::size_t first = out.size();
  const bool once = isRoundCore(a.kind) && isRoundCore(b.kind) && touchOnce(a, b, separation);
  if (!once && !touchesAtAPoint(a) && !touchesAtAPoint(b)) addPatchPoints(a, b, separation, margin, out);
  if (out.size() == first)
    return out.push_back({separation.point_1, separation.point_2, separation.normal, separation.distance});
  const double size = std::max(radiusAbout(a), radiusAbout(b));
  for (std::size_t i = first; i < out.size(); ++i)
    if (out[i].gap <= separation.distance + 1e-10 * size) return;
  out.push_back({separation.point_1, separation.point_2, separation.normal, separation.distance});
}

}  // namespace rigor
