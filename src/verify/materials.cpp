#include "verify/materials.h"

#include <algorithm>

namespace rigor::verify {
namespace {

/// Of pairs without a law Newton's counts.
Bounce bounceOf(const Json& entry) {
  const std::string law = entry.value("impact", "newton");
  if (law == "newton") return Bounce::kNewton;
  if (law == "poisson") return Bounce::kPoisson;
  if (law == "stronge") return Bounce::kStronge;
  throw Error({"", 0, "header"}, "names the law of impact \"" + law + "\", which is not known",
              "Verify it with the version of rigor that wrote it.");
}

Surface surfaceOf(const Json& entry) {
  Surface surface;
  surface.friction = numberOf(entry.at("friction"));
  surface.friction_static = numberOf(entry.at("friction_static"));
  if (surface.friction_static < 0) surface.friction_static = surface.friction;
  surface.restitution = numberOf(entry.at("restitution"));
  surface.threshold = numberOf(entry.at("threshold"));
  surface.bounce = bounceOf(entry);
  const auto optional = [&](const char* key, Real& value) {
    if (entry.contains(key)) value = numberOf(entry.at(key));
  };
  optional("torsion", surface.torsion);
  optional("rolling", surface.rolling);
  optional("compliance", surface.compliance);
  if (entry.contains("surface_velocity")) surface.velocity[0] = vectorOf(entry.at("surface_velocity"));
  if (entry.contains("surface_velocity_2")) surface.velocity[1] = vectorOf(entry.at("surface_velocity_2"));
  if (entry.contains("anisotropy")) {
    const Json& anisotropy = entry.at("anisotropy");
    surface.ratio = numberOf(anisotropy.at("ratio"));
    surface.grain = vectorOf(anisotropy.at("direction"));
    surface.grain_of = anisotropy.at("of_second").get<bool>() ? 1 : 0;
  }
  return surface;
}

/// The weaker in everything; turning is that of the softer one, and two springs in a row give way one after the other.
Surface weaker(const Surface& a, const Surface& b) {
  Surface both{std::min(a.friction, b.friction), std::min(a.friction_static, b.friction_static),
               std::min(a.restitution, b.restitution), std::max(a.threshold, b.threshold)};
  both.bounce = std::max(a.bounce, b.bounce);  // of equal restitutions; else that of the smaller one
  if (a.restitution != b.restitution) both.bounce = a.restitution < b.restitution ? a.bounce : b.bounce;
  both.torsion = std::max(a.torsion, b.torsion);
  both.rolling = std::max(a.rolling, b.rolling);
  both.compliance = a.compliance + b.compliance;
  both.grain_of = a.friction < b.friction || (a.friction == b.friction && a.ratio != 1) ? 0 : 1;
  const Surface& deciding = both.grain_of == 0 ? a : b;
  both.ratio = deciding.ratio, both.grain = deciding.grain;
  return both;
}

Surface turned(Surface surface) {
  std::swap(surface.velocity[0], surface.velocity[1]);
  surface.grain_of = 1 - surface.grain_of;
  return surface;
}

bool isZero(const Vec& v) { return v.x == 0 && v.y == 0 && v.z == 0; }

}  // namespace

int Materials::numberOf(const std::string& name) {
  return numbers_.try_emplace(name, static_cast<int>(numbers_.size())).first->second;
}

void Materials::read(const Json& entries) {
  for (const Json& entry : entries) {
    const std::string second = entry.at("pair").at(1).get<std::string>();
    const int a = numberOf(entry.at("pair").at(0).get<std::string>()), b = numberOf(second);
    const Surface surface = surfaceOf(entry);
    belts_ = belts_ || !isZero(surface.velocity[0]) || !isZero(surface.velocity[1]);
    soft_ = soft_ || surface.compliance > 0;
    if (!second.empty()) {
      pairs_.try_emplace(std::minmax(a, b), a <= b ? surface : turned(surface));  // the first entry counts
      continue;
    }
    std::map<int, Surface>& single = entry.contains("fallback") ? fallback_ : alone_;
    const auto [known, is_new] = single.try_emplace(a, surface);
    if (!is_new) known->second = weaker(known->second, surface);
  }
}

std::optional<Surface> Materials::ofPair(int a, int b) const {
  const auto pair = pairs_.find(std::minmax(a, b));
  if (pair == pairs_.end()) return {};
  return a <= b ? pair->second : turned(pair->second);
}

Vec Materials::beltOf(int material) const {
  for (const std::map<int, Surface>* single : {&alone_, &fallback_})
    if (const auto own = single->find(material); own != single->end()) return own->second.velocity[0];
  return {};
}

Surface Materials::between(int a, int b) const {
  Surface surface = foundFor(a, b);
  surface.threshold = threshold_.value_or(surface.threshold);
  return surface;
}

Surface Materials::foundFor(int a, int b) const {
  Surface found{0.8L, 0.8L, 0, 0.01L};
  if (const std::optional<Surface> pair = ofPair(a, b)) {
    if (!isZero(pair->velocity[0]) || !isZero(pair->velocity[1])) return *pair;
    found = *pair;
  } else {
    for (const std::map<int, Surface>* single : {&alone_, &fallback_}) {
      const auto of_a = single->find(a), of_b = single->find(b);
      const bool has_a = of_a != single->end(), has_b = of_b != single->end();
      if (!has_a && !has_b) continue;
      found = has_a && has_b ? (a == b ? of_a->second : weaker(of_a->second, of_b->second))
              : has_a        ? of_a->second
                             : turned(of_b->second);
      break;
    }
  }
  found.velocity[0] = beltOf(a), found.velocity[1] = beltOf(b);
  return found;
}

}  // namespace rigor::verify
