// rigor verify: the second opinion on a recording.
#include <fmt/format.h>

#include <cmath>

#include "argument_check.h"
#include "commands.h"
#include "json.h"
#include "measures.h"
#include "output.h"
#include "progress.h"
#include "rigor/ledger.h"
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
    if (limit < 0.0 && measure.of == &VerifyWorst::energy_gain && verdict.gain_too_coarse)
      rows.push_back({measure.words, fmt::format("{:.2g}", verdict.worst.*measure.of), "-",
                      "not judged: steps too long", measure.unit});
    else if (limit < 0.0)
      rows.push_back({measure.words, "-", "-", "nothing to judge", ""});
    else
      rows.push_back({measure.words, fmt::format("{:.2g}", value), fmt::format("{:.2g}", limit),
                      value <= limit ? "holds" : "broken", measure.unit});
  }
  text += formatTable(rows);
  for (const std::string& line : verdict.unchecked) text += "  not judged: " + line + "\n";
  return text;
}

/// Who changed the energy, and by how much; accounts that did nothing are left out.
std::string describeLedger(const EnergyLedger& ledger) {
  if (ledger.steps() == 0) return ledger.missing.empty() ? "" : "  no energy ledger: " + ledger.missing + "\n";
  const auto number = [](double value) { return fmt::format("{:.6g}", value); };
  std::vector<std::vector<std::string>> rows{{"", "J", ""}};
  rows.push_back({"energy at the start", number(ledger.energy.front()), ""});
  for (int account = 0; account < kAccounts; ++account) {
    const double total = ledger.total(static_cast<Account>(account));
    if (total != 0.0) rows.push_back({fmt::format("  {}", kAccountNames[account]), fmt::format("{:+.6g}", total), ""});
  }
  const int worst = ledger.worstStep();
  rows.push_back({"  integrator", fmt::format("{:+.2g}", ledger.totalRemainder()),
                  fmt::format("at most {:.2g}, in step {}", std::fabs(ledger.remainder[worst]), worst)});
  rows.push_back({"energy before the last step", number(ledger.energy.back()), ""});
  if (ledger.springs.front() != 0.0 || ledger.springs.back() != 0.0)
    rows.push_back({"of it in springs", number(ledger.springs.back()),
                    fmt::format("{} at the start", number(ledger.springs.front()))});
  return fmt::format("  energy ledger of {} steps:\n{}", ledger.steps(), formatTable(rows));
}

void checkOut(const std::string& file) {
  if (file.empty()) return;
  if (!hasEnding(file, ".csv"))
    throw Error(Place{file, 0, ""}, "the ledger is written as .csv", "Give the file this ending.");
  checkWritable(file);
}

}  // namespace

int execute(const VerifyArguments& arguments) {
  checkOut(arguments.out);
  const Recording recording = loadRecording(arguments.recording);
  Verdict verdict;
  {
    Progress progress(recording.steps());
    verdict = verifyRecording(recording, [&](std::int64_t steps) { progress.show(steps); });
  }
  const EnergyLedger ledger = [&] {
    const Notice notice("energy ledger …");
    return computeLedger(recording);
  }();
  if (!arguments.out.empty()) saveLedger(arguments.out, ledger);
  writeResult(arguments.json ? verifyJson(verdict, ledger)
                             : describe(arguments.recording, verdict) + describeLedger(ledger));
  return verdict.holds ? kDone : kFailed;
}

}  // namespace rigor::app
