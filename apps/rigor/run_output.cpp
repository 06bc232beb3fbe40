#include "run_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "argument_check.h"
#include "commands.h"
#include "interrupt.h"
#include "json.h"
#include "output.h"
#include "progress.h"
#include "rigor/integrator.h"
#include "rigor/io.h"
#include "rigor/ledger.h"

namespace rigor::app {
namespace {

std::string describeStatus(const RunSummary& summary) {
  std::string text = runStatusName(summary.status);
  if (summary.status == RunStatus::kRefused)
    text = fmt::format("refused, {} of {} steps", summary.failed_steps, summary.steps);
  if (summary.status == RunStatus::kInterrupted) text = "interrupted by the user";
  if (!summary.missing_contact.empty()) text += ", " + summary.missing_contact;
  return text;
}

/// What to do about contact that is missing.
void tellRemedy(const RunSummary& summary, bool allowed) {
  if (summary.status != RunStatus::kIncomplete || allowed) return;
  tell("  They pass through other shapes as if these were not there. If that is meant, say so:");
  if (summary.ignored_pairs > 0)
    tell("  name the pairs in [collision] exclude, or --no-self-collision for all pairs within a robot;");
  if (summary.ignored_shapes > 0)
    tell("  name what shall collide in [collision] only, or give a sphere, capsule or box;");
  tell("  or --allow-missing-contact.");
}

/// Whether the true distances are what they must be; says where not.
bool keepsApart(const Verdict* geometry, double start_overlap) {
  if (!geometry) return true;
  if (start_overlap > 0.0) {
    tell(fmt::format("the snapshot begins with shapes that overlap by {:.3g} m", start_overlap));
    return false;
  }
  if (geometry->holds) return true;
  const BrokenStep& bad = geometry->first_bad;
  tell(fmt::format("step {}: {} by {:.3g} m, the limit is {:.3g} m", bad.step, bad.what, bad.value, bad.limit));
  return false;
}

// A file that cannot be written must not cost the user the verdict and the other file.
bool saved(const std::string& what, const std::string& file, const std::function<void()>& save) {
  try {
    const Notice notice(fmt::format("writing {} …", file));
    save();
    tell(fmt::format("{} written: {}", what, file));
    return true;
  } catch (const Error& error) {
    tell(error.what());
    return false;
  }
}

/// Steps of a chosen integrator have no contact law to be judged by; the reader of residuals must know.
std::string describeSmoothSteps(const Scene& scene, const RunSummary& summary) {
  if (scene.stepper == "event" || isLeapfrog(findIntegrator(scene.integrator))) return "";
  return fmt::format("\n  {:<20} {} of {} by {}, not judged: no constraint was near", "smooth steps",
                     summary.smooth_steps, summary.accepted(), scene.integrator);
}

bool saveProblemOfStep(const std::string& file, const ProblemKeeper& keeper) {
  if (!keeper.reached() || keeper.solved().problem.rows() == 0) {
    tell(fmt::format("{} not written: {} step {}.", file,
                     keeper.reached() ? "no constraint was near in" : "the run ended before", keeper.step()));
    return false;
  }
  const SolvedProblem& solved = keeper.solved();
  if (solved.of > 1)
    tell(fmt::format("step {} solved {} problems, one per sub-step; the largest is number {} with {} rows",
                     keeper.step(), solved.of, solved.place, solved.problem.rows()));
  return saved("Problem", file, [&] { saveProblem(file, solved.problem); });
}

}  // namespace

void checkFiles(const RunFiles& files) {
  if (!files.problem.empty() && !hasEnding(files.problem, ".npz") && !hasEnding(files.problem, ".json"))
    throw Error(Place{files.problem, 0, ""}, "contact problems are written as .json or .npz",
                "Give the file one of these endings.");
  for (const std::string& out : files.out) {
    if (!hasEnding(out, ".npz") && !hasEnding(out, ".csv") && !hasEnding(out, ".html"))
      throw Error(Place{out, 0, ""}, "the ending says which format to write, and this one is not known",
                  "Use .npz or .csv for a recording, .html for a page that plays it.");
    if (std::count(files.out.begin(), files.out.end(), out) > 1 || out == files.snapshot || out == files.problem)
      throw Error(Place{out, 0, ""}, "would be written twice", "Give every file its own name.");
    checkWritable(out);
  }
  if (!files.problem.empty() && files.problem == files.snapshot)
    throw Error(Place{files.problem, 0, ""}, "would be written twice", "Give every file its own name.");
  const FailureFiles failed = failureFiles(files.out);
  std::vector<std::string> all = files.out;
  all.insert(all.end(), {files.snapshot, files.problem});
  for (const std::string& file : all)
    if (!file.empty() && (file == failed.problem || file == failed.snapshot))
      throw Error(Place{file, 0, ""}, "is where a refused step would be saved", "Give it another name.");
  for (const std::string& file : {files.snapshot, files.problem})
    if (!file.empty()) checkWritable(file);
}

bool writeRecordings(const RunFiles& files, const Scene& scene, const Recording* recording, const RunSummary& summary) {
  bool written = true;
  // long recordings take long to write: a signal that comes while one file is written spares the user the next
  const auto stoppedNow = [&] { return summary.status != RunStatus::kInterrupted && isRaised(InterruptFlag::flag()); };
  for (const std::string& out : files.out) {
    if (stoppedNow())
      tell(fmt::format("{} not written: interrupted by the user.", out));
    else if (recording->steps() == 0)
      tell(fmt::format("{} not written: no step was accepted.", out));
    else if (hasEnding(out, ".html"))
      written &= saved("Page", out, [&] {
        const EnergyLedger ledger = computeLedger(*recording);
        savePage(out, scene, *recording, &summary, &ledger);
      });
    else
      written &= saved("Recording", out, [&] { saveRecording(out, *recording); });
  }
  return written;
}

int finishRun(const RunFiles& files, const VerdictOptions& options, const Simulator& simulator,
              const RunProducts& products) {
  const Scene& scene = simulator.scene();
  const RunSummary& summary = products.summary;
  bool written = writeRecordings(files, scene, products.recording, summary);
  if (!files.snapshot.empty())
    written &= saved("Snapshot", files.snapshot, [&] { saveSnapshot(files.snapshot, scene, simulator.save()); });

  if (products.problem) written &= saveProblemOfStep(files.problem, *products.problem);
  FailureFiles failed;
  if (products.failure) failed = saveFailure(failureFiles(files.out), *products.failure, scene);

  const std::string heading = fmt::format("{}: {}", scene.name, describeStatus(summary));
  if (options.json) {
    if (summary.status != RunStatus::kDone) tell(heading);
    writeResult(runJson(scene, summary, products.warnings, failed));
  } else {
    writeResult(heading + "\n" + summary.text() + describeSmoothSteps(scene, summary) + "\n");
  }
  tellRemedy(summary, options.allow_missing_contact);
  if (summary.status == RunStatus::kInterrupted || isRaised(InterruptFlag::flag())) return kInterrupted;
  const bool good =
      summary.status == RunStatus::kDone || (summary.status == RunStatus::kIncomplete && options.allow_missing_contact);
  return keepsApart(products.geometry, products.start_overlap) && good && written ? kDone : kFailed;
}

}  // namespace rigor::app
