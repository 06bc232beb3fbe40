// What `run` and `demo` leave behind: files, a verdict, an exit code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "failure_files.h"
#include "rigor/recording.h"
#include "rigor/verify.h"

namespace rigor::app {

struct RunFiles {
  std::vector<std::string> out;  ///< recordings or pages by their endings
  std::string snapshot;          ///< empty: none
  std::string problem;           ///< empty: none
};

/// Keeps the contact problem of one step for a file: the largest, or where a refused step gave up.
class ProblemKeeper final : public RunObserver {
 public:
  explicit ProblemKeeper(std::int64_t step) : step_(step) {}

  std::int64_t step() const { return step_; }
  bool reached() const { return solved_.has_value(); }
  const SolvedProblem& solved() const { return *solved_; }  ///< of that step; without rows if nothing was near

  ReportParts wants() const override { return {.problem = true}; }
  void see(const Simulator& simulator, const RunStep& step) override {
    if (!reached() && step.report.index == step_) solved_ = simulator.lastProblem();
  }

 private:
  const std::int64_t step_;
  std::optional<SolvedProblem> solved_;
};

/// What a run leaves for its files.
struct RunProducts {
  const RunSummary& summary;
  const Recording* recording = nullptr;    ///< if there are files for it
  const ProblemKeeper* problem = nullptr;  ///< likewise
  const FailureKeeper* failure = nullptr;  ///< who watched for a refused step, if anyone did
  const Verdict* geometry = nullptr;       ///< of a GeometryWatch, if there was one
  double start_overlap = 0.0;              ///< [m] of the snapshot that the run began from
  std::vector<Warning> warnings = {};
};

/// Before the run: throws Error for an unknown ending or a place where nothing can be written.
void checkFiles(const RunFiles& files);

struct VerdictOptions {
  bool json = false;
  bool allow_missing_contact = false;  ///< an incomplete run exits with 0
};

/// Recordings and pages alone; false, and told, if one could not be written. `recording` may be null without files for it.
bool writeRecordings(const RunFiles& files, const Scene& scene, const Recording* recording, const RunSummary& summary);

/// After the run: writes the files, then the verdict (or its JSON) to stdout. Returns the exit code.
int finishRun(const RunFiles& files, const VerdictOptions& options, const Simulator& simulator,
              const RunProducts& products);

}  // namespace rigor::app
