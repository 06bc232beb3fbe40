// motion = "file" or [[t, x, y, z, qw, qx, qy, qz], …]: the way of a kinematic body.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "io/file.h"
#include "io/npz/npz.h"
#include "io/scene/assemble.h"
#include "stepping/prescribed_motion.h"
#include "text/number.h"

namespace rigor {
namespace {

constexpr std::size_t kColumns = 8;
constexpr const char* kOrder = "time, x, y, z, qw, qx, qy, qz";

void addRow(const double* row, const Place& where, MotionSpec& motion) {
  const std::string what = fmt::format("the quaternion of row {}", motion.time.size() + 1);
  motion.poses.push_back({{row[1], row[2], row[3]}, unitQuaternion(row + 4, where, what)});
  motion.time.push_back(row[0]);
}

/// Numbers between commas; a first line of words is passed over.
void readMotionCsv(const std::string& file, MotionSpec& motion) {
  std::istringstream lines(readFile(file, kBinaryLimit));
  std::string line;
  for (Place where{file, 1, ""}; std::getline(lines, line); ++where.line) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::vector<double> row;
    std::string word;
    bool words = false;
    for (std::istringstream entries(line); std::getline(entries, word, ',');) {
      const std::size_t first = word.find_first_not_of(" \t\r"), last = word.find_last_not_of(" \t\r");
      const auto value = first == std::string::npos ? std::nullopt : parseNumber(word.substr(first, last - first + 1));
      words = words || !value;
      row.push_back(value.value_or(0.0));
    }
    if (words && where.line == 1) continue;
    if (words)
      throw Error(where, "holds something that is not a finite number", "Write plain decimal numbers between commas.");
    if (row.size() != kColumns)
      throw Error(where, fmt::format("has {} values, not {}", row.size(), kColumns),
                  fmt::format("Write {} in every row.", kOrder));
    addRow(row.data(), where, motion);
  }
}

void readMotionNpz(const std::string& file, MotionSpec& motion) {
  const NpzReader npz(file);
  const std::vector<double> time = npz.read<double>("time").values;
  const std::vector<double> poses = npz.read<double>("pose", {time.size(), kColumns - 1});
  for (std::size_t i = 0; i < time.size(); ++i) {
    double row[kColumns] = {time[i]};
    std::copy_n(poses.begin() + i * (kColumns - 1), kColumns - 1, row + 1);
    for (const double value : row)
      if (!std::isfinite(value))
        throw Error({file, 0, "pose"}, fmt::format("row {} is not finite", i + 1), "Every entry must be a number.");
    addRow(row, {file, 0, "pose"}, motion);
  }
}

void readMotionFile(TableReader& reader, MotionSpec& motion) {
  const std::string name = reader.requiredText("motion");
  if (!endsWith(name, ".csv") && !endsWith(name, ".npz"))
    reader.fail("motion", fmt::format("\"{}\" is not a known kind of motion file", name), "Give a .csv or .npz file.");
  const std::string file = reader.requiredFile("motion");
  try {
    endsWith(file, ".csv") ? readMotionCsv(file, motion) : readMotionNpz(file, motion);
  } catch (const Error& error) {
    if (error.where().line > 0) throw;
    throw Error(reader.place("motion"), fmt::format("motion \"{}\": {}", file, error.problem()), error.remedy());
  }
}

}  // namespace

MotionSpec readMotion(TableReader& reader, int body, const Pose& start) {
  MotionSpec motion;
  motion.body = body;
  motion.velocity = reader.vector("velocity", motion.velocity);
  motion.angular_velocity = reader.vector("angular_velocity", motion.angular_velocity);
  const TomlValue* rows = reader.find("motion");
  if (!rows) {
    motion.poses.push_back(start);
    return motion;
  }
  for (const char* key : {"velocity", "angular_velocity", "position", "quaternion_wxyz"})
    if (reader.has(key))
      reader.fail(key, fmt::format("{} and motion are both given", key),
                  "The motion says where the body is and how fast.");
  if (rows->kind == TomlValue::Kind::kText) {
    readMotionFile(reader, motion);
  } else {
    for (const TomlValue& row : rows->items)
      addRow(reader.numbers(row, kColumns, fmt::format("a row ({})", kOrder)).data(),
             {reader.file(), row.line, reader.place().element}, motion);
  }
  try {
    checkMotion(motion);
  } catch (const Error& error) {
    reader.fail("motion", error.problem(), error.remedy());
  }
  return motion;
}

}  // namespace rigor
