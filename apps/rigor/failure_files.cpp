#include "failure_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>

#include "output.h"

namespace rigor::app {
namespace {

/// Returns its name, or nothing if it could not be written: the verdict must not be lost for it.
std::string savedOrTold(const std::string& file, const std::string& message, const std::function<void()>& save) {
  try {
    save();
  } catch (const Error& error) {
    tell(error.what());
    return "";
  }
  tell(message);
  return file;
}

}  // namespace

FailureFiles failureFiles(const std::vector<std::string>& out) {
  if (out.empty()) return {};
  const std::string stem = std::filesystem::path(out.front()).replace_extension().string();
  return {stem + ".failed.npz", stem + ".failed.snap"};
}

FailureFiles saveFailure(const FailureFiles& files, const FailureKeeper& keeper, const Scene& scene) {
  if (!keeper.first()) return {};
  const FailureKeeper::Failure& failure = *keeper.first();
  if (files.problem.empty()) {
    tell(fmt::format("With --out FILE the contact problem of step {} and the snapshot before it are saved beside FILE.",
                     failure.step));
    return {};
  }
  FailureFiles written;
  if (failure.problem.problem.rows() == 0)
    tell(fmt::format("{} not written: no constraint was near in step {}.", files.problem, failure.step));
  else
    written.problem = savedOrTold(files.problem,
                                  fmt::format("Problem at which step {} gave up written: {} (again: rigor solve {})",
                                              failure.step, files.problem, files.problem),
                                  [&] { saveProblem(files.problem, failure.problem.problem); });
  written.snapshot = savedOrTold(files.snapshot,
                                 fmt::format("Snapshot before step {} written: {} (again: rigor run {} --from {})",
                                             failure.step, files.snapshot, scene.file, files.snapshot),
                                 [&] { saveSnapshot(files.snapshot, scene, failure.before); });
  return written;
}

}  // namespace rigor::app
