#include "experiments/toss_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "experiments/experiment.h"
#include "text/number.h"

namespace rigor::experiments {
namespace {

constexpr const char* kHeading = "t,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz";
constexpr int kColumns = 14;
using Row = std::array<double, kColumns>;

std::vector<std::filesystem::path> listFiles(const std::string& folder) {
  if (!std::filesystem::is_directory(folder))
    throw DataError({folder, 0, ""}, "there is no such folder", "Give the folder that holds the tosses as .csv files.");
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  if (files.size() < 2)
    throw DataError({folder, 0, ""}, fmt::format("holds {} .csv files", files.size()),
                    "Two tosses at least: one half is fitted, the other scored.");
  std::sort(files.begin(), files.end());
  return files;
}

Row parseRow(const std::string& line, const Place& where) {
  Row row;
  std::size_t begin = 0;
  for (int column = 0; column < kColumns; ++column) {
    if (begin > line.size())
      throw DataError(where, fmt::format("has {} values, not {}", column, kColumns), "Write one per column.");
    const std::size_t end = std::min(line.find(',', begin), line.size());
    const std::string word = line.substr(begin, end - begin);
    const auto value = parseNumber(word);
    if (!value)
      throw DataError(where, fmt::format("\"{}\" is not a finite number", printable(word)),
                      "Write plain decimal numbers.");
    row[column] = *value;
    begin = end + 1;
  }
  if (begin <= line.size())
    throw DataError(where, fmt::format("has more than {} values", kColumns), "Write one per column.");
  return row;
}

void checkClock(const std::vector<Row>& rows, const std::string& file) {
  const double period = (rows.back()[0] - rows.front()[0]) / static_cast<double>(rows.size() - 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double expected = rows.front()[0] + period * static_cast<double>(i);
    if (!(period > 0.0) || std::fabs(rows[i][0] - expected) > 0.01 * period)
      throw DataError({file, static_cast<int>(i) + 2, ""},
                      fmt::format("time {} s is not the next of equal periods", rows[i][0]),
                      "Frames must follow each other at equal times.");
  }
}

Toss loadToss(const std::filesystem::path& path, int least) {
  const std::string file = path.string();
  std::ifstream stream(path);
  std::string line;
  const auto next = [&] {
    if (!std::getline(stream, line)) return false;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return true;
  };
  if (!next() || line != kHeading)
    throw DataError({file, 1, ""}, "the first line does not name the columns of a toss",
                    fmt::format("Write {}", kHeading));
  std::vector<Row> rows;
  Toss toss;
  toss.name = path.stem().string();
  for (Place where{file, 2, ""}; next(); ++where.line) {
    if (line.empty()) continue;
    const Row row = parseRow(line, where);
    const Eigen::Quaterniond turn(row[4], row[5], row[6], row[7]);
    if (std::fabs(turn.norm() - 1.0) > 1e-3)
      throw DataError(where, fmt::format("the quaternion has length {:.4g}", turn.norm()), "w, x, y, z of length 1.");
    toss.positions.emplace_back(row[1], row[2], row[3]);
    toss.orientations.push_back(turn.normalized());
    rows.push_back(row);
  }
  if (toss.frames() < least)
    throw DataError({file, 0, ""}, fmt::format("has {} frames", toss.frames()), fmt::format("{} at least.", least));
  checkClock(rows, file);
  toss.period = (rows.back()[0] - rows.front()[0]) / static_cast<double>(rows.size() - 1);
  toss.velocity = {rows[0][8], rows[0][9], rows[0][10]};
  toss.angular_velocity = {rows[0][11], rows[0][12], rows[0][13]};
  return toss;
}

}  // namespace

std::vector<Toss> loadTosses(const std::string& folder, int least) {
  std::vector<Toss> tosses;
  for (const std::filesystem::path& file : listFiles(folder)) tosses.push_back(loadToss(file, least));
  return tosses;
}

}  // namespace rigor::experiments
