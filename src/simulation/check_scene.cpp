#include <fmt/format.h>

#include <algorithm>

#include "rigor/simulator.h"
#include "simulation/checks.h"
#include "simulation/overlap_finder.h"
#include "stepping/start_report.h"

namespace rigor {
namespace {

/// How a warning of loading is told: kind of the problem, remedy. Without a kind: another check finds it by itself.
struct Telling {
  const char* kind;
  bool is_error;
  const char* remedy;
};

Telling tellingOf(WarningKind kind) {
  switch (kind) {
    case WarningKind::kOther:
      return {"file", false, "Correct the file where it is named."};
    case WarningKind::kNotice:
      return {"file", false, "Nothing, if that is meant."};
    case WarningKind::kLastingOverlap:
      return {"lasting_overlap", false,
              "Nothing, if the shapes are only larger than the real parts; else make them smaller."};
    case WarningKind::kMovedPose:
      return {"pose", false, "Nothing, or give a start of your own: a scene file with [[robot]] q = {joint = value}."};
    case WarningKind::kNoClearPose:
      return {"lasting_overlap", false,
              "Give a start of your own, or smaller shapes; --no-self-collision lets all links of one robot pass."};
    case WarningKind::kMissingShape:
      return {"missing_shape", true, "Give the folder above its package with --package-path, or correct the file."};
    case WarningKind::kNoContactCode:
      return {"missing_shape", true, "Give one of the two another shape, such as a box."};
    case WarningKind::kHull:
      return {"hull", false, "Give its convex parts as one <collision> each, or boxes and cylinders."};
    case WarningKind::kMoments:
      return {"inertia", false,
              "Take the moments about the centre of mass, in kg m², from the CAD program or the shapes."};
    case WarningKind::kNegativeMoments:
      return {"inertia", false, "Check the signs of the diagonal and of ixy, ixz, iyz."};
    case WarningKind::kPointMass:
      return {"inertia", false, "Write <inertia> of the link."};
    case WarningKind::kMovedApart:
      return {"pose", false, "Start the shapes apart, or give the joints' start: [[robot]] q = {joint = value}."};
    case WarningKind::kOpenLoop:
      return {"open_loop", false,
              "Nothing, if that start will do; else start its bodies or joints where it is closed."};
    case WarningKind::kOverlap:
    case WarningKind::kImmovable:
    case WarningKind::kShapeless:
    case WarningKind::kOutsideRange:
    case WarningKind::kNoEffort:
      break;
  }
  return {"", false, ""};
}

Problem toProblem(const Warning& warning) {
  const Telling telling = tellingOf(warning.kind);
  return {telling.kind,    telling.is_error, warning.where,
          warning.message, telling.remedy,   warning.kind == WarningKind::kNotice};
}

}  // namespace

void checkFileWarnings(const Scene& scene, std::vector<Problem>& problems) {
  std::vector<Warning> all = scene.warnings;
  all.insert(all.end(), scene.model.warnings().begin(), scene.model.warnings().end());
  for (const Warning& warning : all)
    if (Problem problem = toProblem(warning); !problem.kind.empty()) problems.push_back(std::move(problem));
}

void checkStartPose(const Scene& scene, std::vector<Problem>& problems) {
  std::string refused;
  try {
    const std::vector<Warning> told = Simulator(scene).warnings();
    for (std::size_t i = scene.warnings.size() + scene.model.warnings().size(); i < told.size(); ++i) {
      Problem problem = toProblem(told[i]);  // those before are told by the files
      if (problem.kind.empty()) continue;
      if (problem.kind == "file")
        problem.kind = "start", problem.remedy = "Change it as it says, or nothing, if that is meant.";
      if (problem.where.element.empty()) problem.where = {scene.file, 0, "start"};
      problems.push_back(std::move(problem));
    }
  } catch (const UnclosableLoop& error) {
    refused = error.problem();
    problems.push_back({"unclosable_loop", true, error.where(), error.problem(), error.remedy()});
  } catch (const Error& error) {
    refused = error.problem();
    problems.push_back({"start", true, error.where(), error.problem(), error.remedy()});
  }
  for (const ShapeOverlap& overlap : findOverlaps(scene.model, scene.q))
    problems.push_back({"overlap",
                        !refused.empty(),
                        {scene.file, 0,
                         fmt::format("\"{}\" and \"{}\"", nameOfShape(scene.model, overlap.shape_1),
                                     nameOfShape(scene.model, overlap.shape_2))},
                        fmt::format("overlap by {:.3g} m where the scene starts{}", overlap.depth,
                                    refused.empty() ? "; a run moves them apart first" : ""),
                        "Start them apart, or name the pair in [collision] exclude."});
}

std::vector<Problem> checkOutlook(const Scene& scene) {
  std::vector<Problem> problems;
  checkStance(scene, problems);
  checkStepLength(scene, problems);
  return problems;
}

std::vector<Problem> checkScene(const Scene& scene) {
  scene.check();
  std::vector<Problem> problems;
  checkStartPose(scene, problems);
  checkFileWarnings(scene, problems);
  checkShapesOfLinks(scene, problems);
  checkMasses(scene, problems);
  checkSurfaces(scene, problems);
  checkUnits(scene, problems);
  checkStance(scene, problems);
  checkStepLength(scene, problems);
  checkJointLimits(scene, problems);
  std::stable_sort(problems.begin(), problems.end(),
                   [](const Problem& a, const Problem& b) { return a.is_error && !b.is_error; });
  return problems;
}

}  // namespace rigor
