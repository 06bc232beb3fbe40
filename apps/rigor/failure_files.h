// A refused step saves itself: its contact problem for `rigor solve`, and the snapshot before it for `rigor run --from`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigor/io.h"
#include "rigor/run.h"

namespace rigor::app {

/// Keeps the first refused step of a run.
class FailureKeeper final : public RunObserver {
 public:
  struct Failure {
    std::int64_t step = 0;
    Snapshot before;        ///< the last good state: from here the step is refused again
    SolvedProblem problem;  ///< where it gave up; without rows if no constraint was near
  };
  const std::optional<Failure>& first() const { return first_; }

  void see(const Simulator& simulator, const RunStep& step) override {
    if (!first_ && !step.report.accepted())
      first_ = Failure{step.report.index, simulator.save(), simulator.lastProblem()};
  }

 private:
  std::optional<Failure> first_;
};

/// Names of the files of a refused step, beside the first file of a run: out.npz → out.failed.npz, out.failed.snap. Empty: none.
struct FailureFiles {
  std::string problem, snapshot;
};
FailureFiles failureFiles(const std::vector<std::string>& out);

/// Writes them and tells how to replay them. Returns those that were written; without any file of the run, none are, and it
/// tells how to get them.
FailureFiles saveFailure(const FailureFiles& files, const FailureKeeper& keeper, const Scene& scene);

}  // namespace rigor::app
