#include "verify/materials.h"

#include <algorithm>

namespace rigor::verify {
namespace {

Surface surfaceOf(const Json& entry) {
  Surface surface;
  surface.friction = numberOf(entry.at("friction"));
  surface.friction_static = numberOf(entry.at("friction_static"));
  if (surface.friction_static < 0) surface.friction_static = surface.friction;
  surface.restitution = numberOf(entry.at("restitution"));
  surface.threshold = numberOf(entry.at("threshold"));
  return surface;
}

/// The weaker in everything.
Surface weaker(const Surface& a, const Surface& b) {
  return {std::min(a.friction, b.friction), std::min(a.friction_static, b.friction_static),
          std::min(a.restitution, b.restitution), std::max(a.threshold, b.threshold)};
}

}  // namespace

int Materials::numberOf(const std::string& name) {
  return numbers_.try_emplace(name, static_cast<int>(numbers_.size())).first->second;
}

void Materials::read(const Json& entries) {
  for (const Json& entry : entries) {
    const std::string second = entry.at("pair").at(1).get<std::string>();
    const int a = numberOf(entry.at("pair").at(0).get<std::string>()), b = numberOf(second);
    const Surface surface = surfaceOf(entry);
    pairs_.try_emplace(std::minmax(a, b), surface);  // the first entry counts
    if (!second.empty()) continue;
    std::map<int, Surface>& single = entry.contains("fallback") ? fallback_ : alone_;
    const auto [known, is_new] = single.try_emplace(a, surface);
    if (!is_new) known->second = weaker(known->second, surface);
  }
}

Surface Materials::between(int a, int b) const {
  if (const auto pair = pairs_.find(std::minmax(a, b)); pair != pairs_.end()) return pair->second;
  for (const std::map<int, Surface>* single : {&alone_, &fallback_}) {
    const auto of_a = single->find(a), of_b = single->find(b);
    if (of_a != single->end() && of_b != single->end()) return weaker(of_a->second, of_b->second);
    if (of_a != single->end()) return of_a->second;
    if (of_b != single->end()) return of_b->second;
  }
  return {0.8L, 0.8L, 0, 0.01L};
}

}  // namespace rigor::verify
