// rigor verify: the second opinion on a recording.
#include <fmt/format.h>

#include "commands.h"
#include "json.h"
#include "output.h"
#include "progress.h"
#include "rigor/verify.h"

namespace rigor::app {
namespace {

std::string describe(const std::string& file, const Verdict& verdict) {
  const VerifyWorst& worst = verdict.worst;
  std::string text = fmt::format("{}: {}\n", file, verdict.holds ? "holds" : "broken");
  if (!verdict.holds)
    text += fmt::format("  first bad step {}: {}: {:.3g}, the limit is {:.3g}\n", verdict.first_bad.step,
                        verdict.first_bad.what, verdict.first_bad.value, verdict.first_bad.limit);
  text += formatTable(
      {{"judged", fmt::format("{} steps, {} sub-steps", verdict.steps, verdict.substeps)},
       {"deeper than before", fmt::format("{:.2g} m", worst.gap)},
       {"true overlap", fmt::format("{:.2g} m", worst.overlap)},
       {"momentum balance", fmt::format("{:.2g} of the fastest freedom", worst.momentum)},
       {"outside the cone", fmt::format("{:.2g} of the contact's scale", worst.cone)},
       {"complementarity", fmt::format("{:.2g}", worst.complementarity)},
       {"friction against slip", fmt::format("{:.2g}", worst.slip)},
       {"loops open", fmt::format("{:.2g} m or rad", worst.loop)},
       {"beyond joint range", fmt::format("{:.2g} m or rad", worst.limit)},
       {"energy of nodes", fmt::format("{:.2g}, relative", worst.energy)},
       {"energy gain", fmt::format("{:.2g} J", worst.energy_gain)},
       {"energy from contact", fmt::format("{:.2g} of the kinetic energy in a sub-step", worst.contact_work)}});
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
