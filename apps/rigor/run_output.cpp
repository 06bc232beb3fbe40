#include "run_output.h"

#include <fmt/format.h>

#include <functional>

#include "json.h"
#include "output.h"
#include "rigor/integrator.h"
#include "rigor/io.h"

namespace rigor::app {
namespace {

std::string describeEnding(const RunResult& result) {
  switch (result.ending) {
    case Ending::kDone:
      return result.good() ? "done" : "done, but steps were refused";
    case Ending::kRefused:
      return "stopped at a refused step";
    case Ending::kInterrupted:
      return "stopped by the user";
  }
  return "";
}

// A file that cannot be written must not cost the user the verdict and the other file.
bool saved(const std::string& what, const std::string& file, const std::function<void()>& save) {
  try {
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
  if (isLeapfrog(findIntegrator(scene.integrator))) return "";
  return fmt::format("\n  {:<20} {} of {} by {}, not judged: no constraint was near", "smooth steps",
                     summary.smooth_steps, summary.accepted(), scene.integrator);
}

}  // namespace

void checkFiles(const RunFiles& files) {
  if (!files.out.empty()) {
    if (!files.out.ends_with(".npz") && !files.out.ends_with(".csv") && !files.out.ends_with(".html"))
      throw Error(Place{files.out, 0, ""}, "the ending says which format to write, and this one is not known",
                  "Use .npz or .csv for a recording, .html for a page that plays it.");
    checkWritable(files.out);
  }
  if (!files.snapshot.empty()) checkWritable(files.snapshot);
}

int finishRun(const RunFiles& files, bool json, const Simulator& simulator, const RunResult& result,
              const std::optional<Recording>& recording) {
  const Scene& scene = simulator.scene();
  bool good = result.good();
  if (recording && recording->steps() == 0) {
    tell(fmt::format("{} not written: no step was accepted.", files.out));
  } else if (recording && files.out.ends_with(".html")) {
    good &= saved("Page", files.out, [&] { savePage(files.out, scene, *recording); });
  } else if (recording) {
    good &= saved("Recording", files.out, [&] { saveRecording(files.out, *recording); });
  }
  if (!files.snapshot.empty())
    good &= saved("Snapshot", files.snapshot, [&] { saveSnapshot(files.snapshot, scene, simulator.save()); });

  const std::string heading = fmt::format("{}: {}", scene.name, describeEnding(result));
  if (json) {
    if (!result.good()) tell(heading);
    writeResult(runJson(scene, result, simulator.warnings()));
  } else {
    writeResult(heading + "\n" + result.summary.text() + describeSmoothSteps(scene, result.summary) + "\n");
  }
  return good ? kDone : kFailed;
}

}  // namespace rigor::app
