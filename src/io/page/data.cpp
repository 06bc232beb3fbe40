#include "io/page/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "io/page/curves.h"
#include "io/page/frames.h"
#include "io/page/ledger.h"
#include "io/page/model.h"
#include "io/page/signals.h"
#include "io/page/text.h"

namespace rigor {
namespace {

constexpr int kBuckets = 1000;      // two points each: more than a laptop's plot has pixels
constexpr int kFramesAtOnce = 256;  // frames of one piece: what a stream would send every few seconds
constexpr double kLimit = 1e-10;    // the judge's default ε, drawn as a line

/// Whether `start` cuts `count` entries into `parts`.
bool fitsTogether(const std::vector<std::int64_t>& start, std::size_t parts, std::size_t count) {
  return start.size() == parts + 1 && start.front() == 0 && static_cast<std::size_t>(start.back()) == count &&
         std::is_sorted(start.begin(), start.end());
}

void check(const Scene& scene, const Recording& recording) {
  const std::size_t n = recording.passes.size(), nodes = recording.time.size();
  if (n == 0) throw Error("the recording has no step, so there is nothing to show", "Run at least one step.");
  if (recording.nq != scene.model.nq() || recording.nv != scene.model.nv())
    throw Error(fmt::format("the recording has {} coordinates, the scene's model {}", recording.nq, scene.model.nq()),
                "Give the scene that was recorded.");
  const std::size_t owners = recording.version == 1 ? n : recording.substep_h.size();
  const bool whole = nodes == (recording.version == 1 ? n : n + 1) && recording.q.size() == nodes * recording.nq &&
                     recording.v.size() == nodes * recording.nv && recording.tau.size() == n * recording.nv &&
                     recording.energy.size() == 2 * nodes && recording.residual.size() == 3 * n &&
                     recording.penetration.size() == n && recording.iterations.size() == n &&
                     recording.contact_start.size() == owners + 1 &&
                     (recording.version == 1 || fitsTogether(recording.substep_start, n, owners));
  const std::size_t contacts = recording.contact_mode.size();
  if (!whole || recording.contact_point.size() != 3 * contacts || recording.contact_impulse.size() != 3 * contacts ||
      recording.contact_normal.size() != 3 * contacts || recording.contact_body.size() != 2 * contacts ||
      recording.contact_id.size() != contacts || !fitsTogether(recording.contact_start, owners, contacts))
    throw Error("the arrays of the recording do not fit together", "The file is damaged or cut; record it again.");
}

// What the program said of the run; null if it is not known, e.g. for a recording from a file.
std::string describeVerdict(const RunSummary* summary) {
  if (!summary) return "null";
  return fmt::format("{{\"status\":\"{}\",\"failed_steps\":{},\"by_floor\":{},\"missing\":{}}}",
                     runStatusName(summary->status), summary->failed_steps, summary->accepted_by_floor,
                     quoteForPage(summary->missing_contact));
}

using RowValue = std::function<double(int)>;
struct Curve {
  const char* name;
  RowValue value;
};

std::vector<Curve> listCurves(const Recording& r) {
  return {{"kinetic", [&](int i) { return r.energy[2 * i]; }},
          {"potential", [&](int i) { return r.energy[2 * i + 1]; }},
          {"total", [&](int i) { return r.energy[2 * i] + r.energy[2 * i + 1]; }},
          {"law", [&](int i) { return r.residual[3 * i]; }},
          {"equation", [&](int i) { return r.residual[3 * i + 1]; }},
          {"step", [&](int i) { return r.residual[3 * i + 2]; }},
          {"penetration", [&](int i) { return r.penetration[i]; }},
          {"iterations", [&](int i) { return double(r.iterations[i]); }}};
}

// Largest value of all rows; not finite as soon as one row is not.
double findWorst(int rows, const RowValue& value) {
  double worst = 0.0;
  for (int row = 0; row < rows; ++row) {
    if (!std::isfinite(value(row))) return value(row);
    worst = std::max(worst, value(row));
  }
  return worst;
}

}  // namespace

std::string makePageHeader(const Scene& scene, double limit) {
  const Model& model = scene.model;
  return fmt::format("{{\"name\":{},\"dt\":{},\"mass\":{},\"gravity\":{},\"limit\":{},\n{}}}",
                     quoteForPage(scene.name.empty() ? model.name() : scene.name), numberForPage(scene.dt),
                     numberForPage(model.mass()), listForPage(model.gravity()), numberForPage(limit),
                     describeModelForPage(model));
}

std::string makePageEnd(const Scene& scene, const Recording& recording, const RunSummary* summary,
                        const EnergyLedger* ledger) {
  const int rows = recording.steps();
  assert(rows > 0 && "a recording without a step was refused");
  const double seconds = recording.time[rows - 1] + stepLength(scene, recording, rows - 1) - recording.time.front();
  const std::vector<double> step_times(recording.time.begin(), recording.time.begin() + rows);
  std::string plots = fmt::format("{{\"time\":{}", arrayForPage(makeCurveTimes(step_times, kBuckets)));
  std::string worst = "{";
  for (const Curve& curve : listCurves(recording)) {
    plots += fmt::format(",\"{}\":{}", curve.name, arrayForPage(makeCurve(rows, kBuckets, curve.value)));
    worst += fmt::format("{}\"{}\":{}", worst.size() > 1 ? "," : "", curve.name,
                         numberForPage(findWorst(rows, curve.value)));
  }
  return fmt::format(
      "{{\"steps\":{},\"seconds\":{},\"verdict\":{},\"worst\":{}}},\n\"plots\":{}}},\n\"signals\":{},"
      "\n\"ledger\":{}}}",
      rows, numberForPage(seconds), describeVerdict(summary), worst, plots, makePageSignals(scene, recording),
      makePageLedger(ledger));
}

std::string makePageData(const Scene& scene, const Recording& recording, const RunSummary* summary,
                         const EnergyLedger* ledger) {
  check(scene, recording);
  std::string data = fmt::format("{{\"version\":3,\n\"header\":{},\n\"frames\":[",
                                 makePageHeader(scene, summary ? summary->tolerance : kLimit));
  PageFrames frames;
  const char* separator = "\n";
  const auto send = [&] {
    data += separator + frames.take();
    separator = ",\n";
  };
  for (const int row : chooseFrames(recording, scene.model.bodyCount())) {
    addFrame(scene, recording, row, frames);
    if (frames.count() == kFramesAtOnce) send();
  }
  if (frames.count() > 0) send();
  return data + "],\n\"end\":" + makePageEnd(scene, recording, summary, ledger) + "}";
}

}  // namespace rigor
