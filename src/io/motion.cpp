// Motion files: .npz with time, q and v, and .csv with the same as columns (docs/motions.md).
#include "rigor/motion.h"

#include <fmt/format.h>

#include <sstream>

#include "io/file.h"
#include "io/npz/npz.h"
#include "rigor/algorithms.h"
#include "text/number.h"

namespace rigor {
namespace {

/// One name per line: which robot the coordinates belong to.
std::string listJointNames(const Model& model) {
  std::string names;
  for (const ModelJoint& joint : model.joints())
    names += printable(joint.spec.name.empty() ? model.body(joint.body).name : joint.spec.name) + "\n";
  return names;
}

std::vector<Eigen::VectorXd> readRows(const NpzReader& npz, const char* name, std::size_t rows, int columns) {
  const std::size_t width = static_cast<std::size_t>(columns);
  const std::vector<double> numbers = npz.read<double>(name, {rows, width});
  std::vector<Eigen::VectorXd> list;
  for (std::size_t i = 0; i < rows; ++i)
    list.emplace_back(Eigen::Map<const Eigen::VectorXd>(numbers.data() + i * width, columns));
  return list;
}

MotionTable readMotionNpz(const std::string& file, const Model& model) {
  const NpzReader npz(file);
  if (npz.has("joints") && npz.readText("joints") != listJointNames(model))
    throw Error({file, 0, "joints"}, fmt::format("is a motion of joints that \"{}\" does not have", model.name()),
                "Give the model that the motion was made for; rigor info lists its joints.");
  MotionTable motion;
  motion.time = npz.read<double>("time").values;
  motion.q = readRows(npz, "q", motion.time.size(), model.nq());
  if (npz.has("v")) motion.v = readRows(npz, "v", motion.time.size(), model.nv());
  return motion;
}

/// The numbers of a line; none if it begins with a word, as a heading does.
std::vector<double> readNumbers(const std::string& line, const Place& where) {
  std::vector<double> numbers;
  std::string word;
  for (std::istringstream entries(line); std::getline(entries, word, ',');) {
    const std::size_t first = word.find_first_not_of(" \t\r"), last = word.find_last_not_of(" \t\r");
    const auto value = first == std::string::npos ? std::nullopt : parseNumber(word.substr(first, last - first + 1));
    if (!value && numbers.empty() && where.line == 1) return {};
    if (!value)
      throw Error(where, fmt::format("\"{}\" is not a finite number", printable(word)),
                  "Write plain decimal numbers between commas.");
    numbers.push_back(*value);
  }
  return numbers;
}

MotionTable readMotionCsv(const std::string& file, const Model& model) {
  std::istringstream lines(readFile(file, kBinaryLimit));
  std::string line;
  MotionTable motion;
  std::size_t width = 0;
  const std::size_t with_v = 1 + model.nq() + model.nv(), without_v = 1 + model.nq();
  for (Place where{file, 1, ""}; std::getline(lines, line); ++where.line) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::vector<double> row = readNumbers(line, where);
    if (row.empty()) continue;
    if (motion.time.empty()) width = row.size();
    if (row.size() != width || (width != with_v && width != without_v))
      throw Error(where,
                  fmt::format("has {} values, not {}", row.size(),
                              motion.time.empty() ? fmt::format("{} or {}", without_v, with_v) : std::to_string(width)),
                  fmt::format("Write time, {} coordinates and, if you have them, {} velocities in every row.",
                              model.nq(), model.nv()));
    motion.time.push_back(row[0]);
    motion.q.emplace_back(Eigen::Map<const Eigen::VectorXd>(row.data() + 1, model.nq()));
    if (width == with_v)
      motion.v.emplace_back(Eigen::Map<const Eigen::VectorXd>(row.data() + 1 + model.nq(), model.nv()));
  }
  return motion;
}

void addRows(const char* name, const std::vector<Eigen::VectorXd>& rows, NpzWriter& npz) {
  std::vector<double> numbers;
  for (const Eigen::VectorXd& row : rows) numbers.insert(numbers.end(), row.begin(), row.end());
  npz.add(name, numbers, rows.empty() ? 0 : rows[0].size());
}

}  // namespace

MotionTable loadMotion(const std::string& file, const Model& model) {
  if (!endsWith(file, ".npz") && !endsWith(file, ".csv"))
    throw Error({file, 0, ""}, "is not a known kind of motion file", "Give a .npz or .csv file.");
  MotionTable motion = endsWith(file, ".npz") ? readMotionNpz(file, model) : readMotionCsv(file, model);
  try {
    if (motion.v.empty())
      deriveVelocities(model, motion);
    else
      checkMotion(model, motion);
  } catch (const Error& error) {
    throw Error({file, 0, ""}, error.problem(), error.remedy());
  }
  return motion;
}

void saveMotion(const std::string& file, const Model& model, const MotionTable& motion) {
  if (!endsWith(file, ".npz"))
    throw Error({file, 0, ""}, "is not a known kind of motion file", "Motions are written as .npz.");
  checkMotion(model, motion);
  NpzWriter npz(file);
  npz.add("time", motion.time);
  addRows("q", motion.q, npz);
  addRows("v", motion.v, npz);
  npz.addText("joints", listJointNames(model));
  npz.commit();
}

}  // namespace rigor
