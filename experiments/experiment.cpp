#include "experiments/experiment.h"

#include <algorithm>

#include "experiments/cube_toss.h"
#include "experiments/lt.h"
#include "experiments/os.h"
#include "experiments/pc.h"
#include "experiments/rp.h"
#include "experiments/vg.h"
#include "rigor/error.h"
#include "text/nearest.h"

namespace rigor::experiments {

const char* verdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return "holds";
    case Verdict::kDiffers:
      return "differs";
    case Verdict::kNotShown:
      return "not shown";
    case Verdict::kFailed:
      break;
  }
  return "failed";
}

Verdict Outcome::verdict() const {
  if (!done) return Verdict::kFailed;
  const auto any = [&](std::optional<bool> holds) {
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& one) { return one.holds == holds; });
  };
  if (any(false)) return Verdict::kDiffers;
  return any(std::nullopt) || findings.empty() ? Verdict::kNotShown : Verdict::kHolds;
}

const std::vector<Experiment>& listExperiments() {
  static const std::vector<Experiment> experiments = {
      cubeToss(),   pcSingle(), pcSteps(),    pcLaws(),        pcPenetration(), pcRate(),       rpPendulum(),
      ltContacts(), ltChain(),  ltHopper(),   ltQuadruped(),   vgDrift(),       vgEnergy(),     vgDamping(),
      vgDrop(),     vgStart(),  vgFourBar(),  vgScaled(),      vgPendulums(),   vgTolerances(), vgSpheres(),
      vgLoops(),    vgGraphs(), vgLearning(), vgExoskeleton(), osPendulum(),    osAgreement()};
  return experiments;
}

std::vector<const Experiment*> findExperiments(const std::string& name) {
  std::vector<std::string> known;
  std::vector<const Experiment*> found;
  for (const Experiment& experiment : listExperiments()) {
    if (experiment.name == name || experiment.name.starts_with(name + "-")) found.push_back(&experiment);
    known.emplace_back(experiment.name);
  }
  if (!found.empty()) return found;
  const std::string nearest = findNearest(name, known);
  throw Error("there is no experiment \"" + name + "\"",
              (nearest.empty() ? "" : "Did you mean " + nearest + "? ") + "See rigor reproduce --list.");
}

}  // namespace rigor::experiments
