#include "geometry/quick_hull.h"

#include <cstdio>
#include <cstdlib>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace rigor {
namespace {

/// What qhull says of trouble goes nowhere: the caller sees that there is no hull and knows the points.
class Silence {
 public:
  Silence() : stream_(open_memstream(&text_, &size_)) {}
  ~Silence() {
    if (stream_) std::fclose(stream_);
    std::free(text_);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  std::FILE* stream() const { return stream_; }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* stream_;
};

/// Frees whatever qhull holds.
class QhullMemory {
 public:
  explicit QhullMemory(std::FILE* messages) { qh_zero(&state, messages); }
  ~QhullMemory() {
    int blocks = 0, bytes = 0;
    qh_freeqhull(&state, !qh_ALL);
    qh_memfreeshort(&state, &blocks, &bytes);
  }
  QhullMemory(const QhullMemory&) = delete;
  QhullMemory& operator=(const QhullMemory&) = delete;
  qhT state{};
};

int pointOf(qhT* qh, const void* vertex) { return qh_pointid(qh, static_cast<const vertexT*>(vertex)->point); }

/// A triangle lists its corners, in the order that `toporient` tells.
HullSide edgesOfTriangle(qhT* qh, const facetT* facet) {
  const int a = pointOf(qh, SETelem_(facet->vertices, 0)), b = pointOf(qh, SETelem_(facet->vertices, 1)),
            c = pointOf(qh, SETelem_(facet->vertices, 2));
  if (facet->toporient) return {{b, a}, {a, c}, {c, b}};
  return {{a, b}, {b, c}, {c, a}};
}

/// A merged side has a ridge for each edge, which runs forward on its top side and back on the other.
HullSide edgesOfPolygon(qhT* qh, const facetT* facet) {
  HullSide edges;
  ridgeT *ridge, **ridgep;
  FOREACHridge_(facet->ridges) {
    const int first = pointOf(qh, SETelem_(ridge->vertices, 0)), second = pointOf(qh, SETelem_(ridge->vertices, 1));
    if (ridge->top == facet)
      edges.push_back({second, first});
    else
      edges.push_back({first, second});
  }
  return edges;
}

}  // namespace

std::vector<HullSide> findHullSides(const std::vector<Vec3<double>>& points) {
  std::vector<coordT> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vec3<double>& point : points) coordinates.insert(coordinates.end(), {point.x, point.y, point.z});

  const Silence silence;
  std::vector<HullSide> sides;
  if (!silence.stream()) return sides;
  QhullMemory memory(silence.stream());
  qhT* qh = &memory.state;
  char command[] = "qhull Pp";  // Pp: no warnings about precision; merging is what the defaults do
  if (qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), false, command, nullptr,
                   silence.stream()) != 0)
    return sides;
  facetT* facet;
  FORALLfacets sides.push_back(facet->simplicial ? edgesOfTriangle(qh, facet) : edgesOfPolygon(qh, facet));
  return sides;
}

}  // namespace rigor
