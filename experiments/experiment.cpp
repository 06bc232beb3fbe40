#include "experiments/experiment.h"

#include <algorithm>

#include "experiments/cube_toss.h"
#include "experiments/rp.h"
#include "rigor/error.h"
#include "text/nearest.h"

namespace rigor::experiments {

bool Outcome::good() const {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.holds; });
}

const std::vector<Experiment>& listExperiments() {
  static const std::vector<Experiment> experiments = {rpPendulum(), cubeToss()};
  return experiments;
}

const Experiment& findExperiment(const std::string& name) {
  std::vector<std::string> known;
  for (const Experiment& experiment : listExperiments()) {
    if (experiment.name == name) return experiment;
    known.emplace_back(experiment.name);
  }
  const std::string nearest = findNearest(name, known);
  throw Error("there is no experiment \"" + name + "\"",
              (nearest.empty() ? "" : "Did you mean " + nearest + "? ") + "See rigor reproduce --list.");
}

}  // namespace rigor::experiments
