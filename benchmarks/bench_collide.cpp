// Time of a collision between two shapes on one core: near contact, as in a simulation, over many poses.
// Run alone: nothing keeps a build beside it from the caches.
#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "near_contact.h"

namespace rigor {
namespace {

constexpr int kPoses = 256, kRounds = 40;
constexpr double kMargin = 1e-3;

struct Named {
  const char* name;
  Shape shape;
};

void printPair(const Named& a, const Named& b) {
  const std::vector<NearPose> poses = posesNearContact(a.shape, b.shape, kPoses);
  double sum = 0.0;
  const OwnTimes times = timeOwnCalls(a.shape, b.shape, poses, kRounds, kMargin, sum);
  std::size_t points = 0;
  for (const NearPose& p : poses) points += collide(a.shape, p.X_1, b.shape, p.X_2, kMargin).manifold.size();
  fmt::print("{:10} {:10} {:10.0f} {:10.0f} {:10.0f} {:8.2f}\n", a.name, b.name, times.distance, times.with_hint,
             times.collide, static_cast<double>(points) / kPoses + 0.0 * sum);
}

}  // namespace
}  // namespace rigor

int main(int count, char** arguments) {
  using namespace rigor;
  const std::string_view only = count > 1 ? arguments[1] : "";  // part of a shape's name that both must have
  const std::vector<Named> shapes = {
      {"sphere", makeSphere(0.1)},         {"capsule", makeCapsule(0.05, 0.1)},
      {"box", makeBox({0.1, 0.12, 0.08})}, {"cylinder", makeCylinder(0.1, 0.1)},
      {"cone", makeCone(0.1, 0.1)},        {"ellipsoid", makeEllipsoid({0.1, 0.12, 0.08})},
      {"hull (64)", roundHull(0.1)}};
  fmt::print("ns per call, gaps within 0.1 mm; collide with its manifold, mean number of points\n");
  fmt::print("{:21} {:>10} {:>10} {:>10} {:>8}\n", "", "distance", "with hint", "collide", "points");
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t j = i; j < shapes.size(); ++j)
      if (std::string_view(shapes[i].name).find(only) != only.npos &&
          std::string_view(shapes[j].name).find(only) != only.npos)
        printPair(shapes[i], shapes[j]);
}
