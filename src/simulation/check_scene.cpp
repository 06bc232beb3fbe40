#include <algorithm>
#include <array>

#include "rigor/simulator.h"
#include "simulation/checks.h"
#include "simulation/overlap_finder.h"

#include <fmt/format.h>

namespace rigor {
namespace {

/// Loading tells in words. These are the words of each kind; tests/simulation/check_test.cpp has a model for every one.
struct WarningKind {
  const char* words;
  const char* kind;  ///< empty: another check finds it by itself
  bool is_error;
  const char* remedy;
};
constexpr std::array kWarningKinds = {
    WarningKind{"overlap wherever the joints", "lasting_overlap", false,
                "Nothing, if the shapes are only larger than the real parts; else make them smaller."},
    WarningKind{"so that it does not overlap itself", "pose", false,
                "Nothing, or give a start of your own: a scene file with [[robot]] q = {joint = value}."},
    WarningKind{"no pose found in which these", "lasting_overlap", false,
                "Give a start of your own, or smaller shapes; --no-self-collision lets all links of one robot pass."},
    WarningKind{"left out, it does not collide", "missing_shape", true,
                "Give the folder above its package with --package-path, or correct the file."},
    WarningKind{"without contact code", "missing_shape", true, "Give one of the two another shape, such as a box."},
    WarningKind{"collides as its hull", "hull", false,
                "Give its convex parts as one <collision> each, or boxes and cylinders."},
    WarningKind{"break the triangle inequality", "inertia", false,
                "Take the moments about the centre of mass, in kg m², from the CAD program or the shapes."},
    WarningKind{"negative principal moment", "inertia", false, "Check the signs of the diagonal and of ixy, ixz, iyz."},
    WarningKind{"the link is a point mass", "inertia", false, "Write <inertia> of the link."},
    WarningKind{"the joint cannot move", "", false, ""},
    WarningKind{"it falls through the floor", "", false, ""},
    WarningKind{"outside its range", "", false, ""},
    WarningKind{"states effort 0", "", false, ""},
};

Problem toProblem(const Warning& warning) {
  for (const WarningKind& known : kWarningKinds)
    if (warning.message.find(known.words) != std::string::npos)
      return {known.kind, known.is_error, warning.where, warning.message, known.remedy};
  return {"file", false, warning.where, warning.message, "Correct the file where it is named."};
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
    for (const Warning& warning : Simulator(scene).warnings())
      if (warning.message.find("moved with what was moved apart") != std::string::npos)
        problems.push_back({"pose",
                            false,
                            {scene.file, 0, "start"},
                            warning.message,
                            "Start the shapes apart, or give the joints' start: [[robot]] q = {joint = value}."});
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

std::vector<Problem> checkScene(const Scene& scene) {
  scene.check();
  std::vector<Problem> problems;
  checkStartPose(scene, problems);
  checkFileWarnings(scene, problems);
  checkShapesOfLinks(scene, problems);
  checkMasses(scene, problems);
  checkUnits(scene, problems);
  checkStepLength(scene, problems);
  checkJointLimits(scene, problems);
  std::stable_sort(problems.begin(), problems.end(),
                   [](const Problem& a, const Problem& b) { return a.is_error && !b.is_error; });
  return problems;
}

}  // namespace rigor
