#include "io/recording_npz.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "io/header.h"
#include "io/id_arrays.h"
#include "io/npz/npz.h"
#include "io/recording_arrays.h"

namespace rigor {
namespace {

constexpr std::size_t kMostCoordinates = 10'000'000;

template <class Values>
constexpr bool areIds = std::is_same_v<std::decay_t<Values>, std::vector<RowId>>;

std::size_t columns(int width) { return width == kFlat ? 1 : static_cast<std::size_t>(width); }

ArrayShape shapeOf(std::size_t count, int width) {
  return width == kFlat ? ArrayShape{count} : ArrayShape{count, static_cast<std::size_t>(width)};
}

bool isZero(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return x == 0.0; });
}

/// Forces from outside are left out of the file where there are none; readers then see zeros. Targets are left out where
/// they are those of the header throughout.
bool mayBeMissing(std::string_view name) {
  return name == "input_tau" || name == "ctrl" || name == "contact_torque" || name.substr(0, 6) == "wrench" ||
         name.substr(0, 4) == "own_";
}

std::vector<double> repeat(const std::vector<double>& row, std::size_t count) {
  std::vector<double> rows;
  rows.reserve(count * row.size());
  for (std::size_t i = 0; i < count; ++i) rows.insert(rows.end(), row.begin(), row.end());
  return rows;
}

[[noreturn]] void refuse(const std::string& file, const std::string& table) {
  throw Error({file, 0, table}, "the tables of the recording do not fit together", "Record the run again.");
}

/// `start` cuts an array of `count` entries into `parts`.
void checkStart(const std::string& file, const char* name, const std::vector<std::int64_t>& start, std::size_t parts,
                std::size_t count) {
  if (start.size() != parts + 1 || start.front() != 0 || start.back() != static_cast<std::int64_t>(count) ||
      !std::is_sorted(start.begin(), start.end()))
    refuse(file, name);
}

void checkTables(const std::string& file, const Recording& r, int bodies) {
  const RecordingCounts counts = countArrays(r);
  const auto within = [](const auto& values, int low, int high) {
    return std::all_of(values.begin(), values.end(), [&](int x) { return x >= low && x <= high; });
  };
  checkStart(file, "contact_start", r.contact_start, counts.substep_ends - 1, counts.contacts);
  if (!within(r.contact_mode, 0, 2)) refuse(file, "contact_mode");
  if (!within(r.contact_body, kWorld, bodies - 1)) refuse(file, "contact_body");
  if (r.version == 1) return;
  checkStart(file, "row_start", r.row_start, counts.substeps, counts.rows);
  checkStart(file, "substep_start", r.substep_start, counts.steps, counts.substeps);
  checkStart(file, "wrench_start", r.wrench_start, counts.steps, counts.wrenches);
  for (std::size_t i = 0; i < counts.steps; ++i)
    if (r.substep_start[i] == r.substep_start[i + 1]) refuse(file, fmt::format("step {} has no sub-step", i));
  if (!within(r.fresh, 0, 1) || !within(r.substep_smooth, 0, 1)) refuse(file, "flags");
  for (std::size_t i = 0; i < counts.wrenches; ++i)
    if (r.wrench_body[2 * i] < 0 || r.wrench_body[2 * i] >= bodies || r.wrench_body[2 * i + 1] < 0 ||
        r.wrench_body[2 * i + 1] > 1)
      refuse(file, "wrench_body");
  std::int64_t before = 0;
  for (std::size_t i = 0; i < counts.own; ++i) {
    const std::int64_t *place = &r.own_place[3 * i], substep = place[0];
    if (substep < before || substep >= static_cast<std::int64_t>(counts.substeps) || place[1] < 0 || place[2] < 0 ||
        place[2] >= bodies)
      refuse(file, "own_place");
    before = substep;
  }
}

/// Reads what the sizes of all other arrays follow from.
RecordingCounts readCounts(const NpzReader& npz, const std::string& file, const std::vector<char>& is_plane,
                           Recording& r) {
  const IdLayout layout = r.version > 5 ? IdLayout::kWide : (r.version > 2 ? IdLayout::kPairs : IdLayout::kShapes);
  const auto width = [&](const char* name) {
    const ArrayShape shape = npz.read<double>(name).shape;
    if (shape.size() != 2 || shape[1] > kMostCoordinates)
      throw Error({file, 0, name}, "has the wrong shape", "Record the run again.");
    return static_cast<int>(shape[1]);
  };
  r.nq = width("q");
  r.nv = width("v");
  r.passes = npz.read<std::int32_t>("passes").values;
  r.time = npz.read<double>("time").values;
  r.contact_id = readIds(file, npz, "contact_id", layout, is_plane);
  if (r.version > 1) {
    r.substep_h = npz.read<double>("substep_h").values;
    if (r.version > 3) r.kick_columns = width("substep_kick");
    r.row_id = readIds(file, npz, "row_id", layout, is_plane);
    if (npz.has("contact_torque")) r.torque_columns = 3;
    if (npz.has("wrench_body")) r.wrench_body = npz.read<std::int32_t>("wrench_body").values;
    if (npz.has("own_place")) r.own_place = npz.read<std::int64_t>("own_place").values;
  }
  return countArrays(r);
}

}  // namespace

void checkRecording(const std::string& file, const Recording& r) {
  const RecordingCounts counts = countArrays(r);
  if (r.nq < 0 || r.nv < 0) refuse(file, "nq, nv");
  // lengths first: nothing may read past an array that a caller has filled by hand
  visitArrays(r, [&](const char* name, const auto& values, CountOf count, int width) {
    const std::size_t size = counts.*count * columns(width);
    if (values.size() != size)
      throw Error({file, 0, name}, fmt::format("has {} entries, not {}", values.size(), size),
                  "Append whole steps only, and call finish() once at the end.");
  });
  visitArrays(r, [&](const char* name, const auto& values, CountOf, int) {
    if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::vector<double>>)
      if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }))
        throw Error({file, 0, name}, "holds a value that is not finite; nothing was written",
                    "NaN and infinity are never saved: find the step that made them.");
  });
}

void saveRecordingNpz(const std::string& file, const Recording& r) {
  const RecordingCounts counts = countArrays(r);
  const HeaderFacts facts = parseHeader(r.header, kRecordingFormat, kRecordingVersion, file);
  if (facts.version != kRecordingVersion)
    throw Error({file, 0, "header"}, fmt::format("recordings of version {} are read, and not written", facts.version),
                "Record the run again, or write .csv.");
  if (static_cast<int>(facts.targets.size()) != r.nu)
    throw Error({file, 0, "ctrl"}, fmt::format("has {} drives, the header {}", r.nu, facts.targets.size()),
                "Begin a recording with makeRecording.");
  const auto isLeftOut = [&](std::string_view name) {
    if (name == "input_tau") return isZero(r.input_tau);
    if (name == "contact_torque") return r.torque_columns == 0;
    if (name == "ctrl") return r.ctrl == repeat(facts.targets, counts.steps);
    if (name.substr(0, 4) == "own_") return r.own_place.empty();
    return name.substr(0, 6) == "wrench" && r.wrench_body.empty();
  };
  NpzWriter npz(file);
  npz.addText("header", r.header);
  visitArrays(r, [&](const char* name, const auto& values, CountOf count, int width) {
    if (isLeftOut(name)) return;
    if constexpr (areIds<decltype(values)>)
      addIds(name, values, npz);
    else
      npz.add(name, values.data(), shapeOf(counts.*count, width));
  });
  npz.commit();
}

Recording loadRecordingNpz(const std::string& file) {
  const NpzReader npz(file);
  Recording r;
  r.header = npz.readText("header");
  const HeaderFacts facts = parseHeader(r.header, kRecordingFormat, kRecordingVersion, file);
  r.version = facts.version;
  r.dt = facts.dt;
  r.nu = static_cast<int>(facts.targets.size());
  const RecordingCounts counts = readCounts(npz, file, facts.is_plane, r);
  visitArrays(r, [&](const char* name, auto& values, CountOf count, int width) {
    if constexpr (!areIds<decltype(values)>) {  // ids are read: they tell how many contacts and rows there are
      using T = typename std::decay_t<decltype(values)>::value_type;
      const ArrayShape shape = shapeOf(counts.*count, width);
      if (mayBeMissing(name) && !npz.has(name))
        values.assign(counts.*count * columns(width), T{});
      else
        values = npz.read<T>(name, shape);
    }
  });
  if (r.version > 1 && !npz.has("ctrl")) r.ctrl = repeat(facts.targets, counts.steps);
  checkTables(file, r, facts.bodies);
  return r;
}

}  // namespace rigor
