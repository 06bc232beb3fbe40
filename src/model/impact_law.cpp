// The laws of impact by name, for files.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "rigor/error.h"
#include "rigor/model.h"
#include "text/nearest.h"

namespace rigor {

std::string_view impactLawName(ImpactLaw law) {
  static constexpr std::string_view kNames[] = {"newton", "poisson", "stronge"};
  return kNames[static_cast<int>(law)];
}

ImpactLaw findImpactLaw(std::string_view name) {
  std::vector<std::string> known;
  for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson, ImpactLaw::kStronge}) {
    if (impactLawName(law) == name) return law;
    known.emplace_back(impactLawName(law));
  }
  const std::string nearest = findNearest(std::string(name), known);
  throw Error(fmt::format("unknown law of impact \"{}\"", name),
              (nearest.empty() ? "" : fmt::format("Did you mean \"{}\"? ", nearest)) +
                  fmt::format("Known: {}.", fmt::join(known, ", ")));
}

}  // namespace rigor
