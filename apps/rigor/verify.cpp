// rigor verify: the second opinion on a recording.
#include <fmt/format.h>

#include "commands.h"
#include "json.h"
#include "measures.h"
#include "output.h"
#include "progress.h"
#include "rigor/verify.h"

namespace rigor::app {
namespace {

std::string describe(const std::string& file, const Verdict& verdict) {
  std::string text = fmt::format("{}: {}\n", file, verdict.holds ? "holds" : "broken");
  if (!verdict.holds)
    text += fmt::format("  first bad step {}: {}: {:.3g}, the limit is {:.3g}\n", verdict.first_bad.step,
                        verdict.first_bad.what, verdict.first_bad.value, verdict.first_bad.limit);
  text += fmt::format("  judged {} steps, {} sub-steps; of each measure what came nearest to its limit:\n",
                      verdict.steps, verdict.substeps);
  std::vector<std::vector<std::string>> rows{{"", "value", "limit", "", ""}};
  for (const MeasureName& measure : kMeasures) {
    const double value = verdict.nearest.*measure.of, limit = verdict.limit.*measure.of;
    if (limit < 0.0)
      rows.push_back({measure.words, "-", "-", "nothing to judge", ""});
    else
      rows.push_back({measure.words, fmt::format("{:.2g}", value), fmt::format("{:.2g}", limit),
                      value <= limit ? "holds" : "broken", measure.unit});
  }
  text += formatTable(rows);
  for (const std::string& line : verdict.unchecked) text += "  not judged: " + line + "\n";
  return text;
}

}  // namespace

int execute(const VerifyArguments& arguments) {
  const Recording recording = loadRecording(arguments.recording);
  Verdict verdict;
  {
    Progress progress(recording.steps());
    verdict = verifyRecording(recording, [&](std::int64_t steps) { progress.show(steps); });
  }
  writeResult(arguments.json ? verifyJson(verdict) : describe(arguments.recording, verdict));
  return verdict.holds ? kDone : kFailed;
}

}  // namespace rigor::app
