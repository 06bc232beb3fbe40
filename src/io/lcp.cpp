// Linear complementarity problems in files: JSON for people, NPZ for programs; both give back the same bits.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/file.h"
#include "io/npz/npz.h"
#include "rigor/error.h"
#include "rigor/io.h"

namespace rigor {
namespace {

using LcpJson = nlohmann::ordered_json;

constexpr const char* kLcpKeys[] = {"M", "q", "free", "lo", "hi"};
constexpr const char* kLcpRemedy =
    "A problem has M [n × n] by rows, q [n] and, where wanted, free [rows], lo [n], hi [n].";

[[noreturn]] void failLcp(const std::string& file, const std::string& element, const std::string& problem,
                          const std::string& remedy = kLcpRemedy) {
  throw Error({file, 0, element}, problem, remedy);
}

bool isLcpKey(const std::string& key) {
  return std::any_of(std::begin(kLcpKeys), std::end(kLcpKeys), [&](const char* known) { return key == known; });
}

void refuseLcpKey(const std::string& file, const std::string& key) {
  if (!isLcpKey(key)) failLcp(file, key, "is not known", fmt::format("Known: {}.", fmt::join(kLcpKeys, ", ")));
}

LcpJson parseLcp(const std::string& file, const std::string& text) {
  try {
    return LcpJson::parse(text);
  } catch (const LcpJson::exception& error) {
    failLcp(file, "", fmt::format("broken JSON: {}", error.what()), "Check brackets, commas and quotes.");
  }
}

// A bound that is null is none.
double readEntry(const std::string& file, const std::string& key, const LcpJson& json, double null) {
  if (json.is_null() && std::isinf(null)) return null;
  if (!json.is_number() || !std::isfinite(json.get<double>()))
    failLcp(file, key, "holds something that is no finite number");
  return json.get<double>();
}

std::vector<double> readEntries(const std::string& file, const char* key, const LcpJson& json, double null) {
  if (!json.is_array()) failLcp(file, key, "is not a list of numbers");
  std::vector<double> values;
  for (const LcpJson& item : json) values.push_back(readEntry(file, key, item, null));
  return values;
}

// One list, or a list of rows that are all as long as there are of them.
std::vector<double> readSquare(const std::string& file, const LcpJson& json) {
  if (!json.is_array() || json.empty() || !json[0].is_array()) return readEntries(file, "M", json, 0.0);
  std::vector<double> values;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::vector<double> row = readEntries(file, "M", json[i], 0.0);
    if (row.size() != json.size())
      failLcp(file, fmt::format("M[{}]", i), fmt::format("has {} values, but M has {} rows", row.size(), json.size()),
              "M is square.");
    values.insert(values.end(), row.begin(), row.end());
  }
  return values;
}

std::vector<int> readRows(const std::string& file, const std::vector<double>& values) {
  std::vector<int> rows;
  for (const double value : values) {
    if (value != std::floor(value) || std::abs(value) > 1e6)
      failLcp(file, "free", fmt::format("holds {}, which is no index of a row", value), "Rows are counted from 0.");
    rows.push_back(static_cast<int>(value));
  }
  return rows;
}

Lcp readLcpJson(const std::string& file) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const LcpJson json = parseLcp(file, readFile(file, kTextLimit));
  if (!json.is_object()) failLcp(file, "", "is not a JSON object");
  for (const auto& item : json.items()) refuseLcpKey(file, item.key());
  for (const char* key : {"M", "q"})
    if (!json.contains(key)) failLcp(file, key, "is missing");
  Lcp lcp;
  lcp.M = readSquare(file, json["M"]);
  lcp.q = readEntries(file, "q", json["q"], 0.0);
  if (json.contains("free")) lcp.free = readRows(file, readEntries(file, "free", json["free"], 0.0));
  if (json.contains("lo")) lcp.lo = readEntries(file, "lo", json["lo"], -kInfinity);
  if (json.contains("hi")) lcp.hi = readEntries(file, "hi", json["hi"], kInfinity);
  return lcp;
}

Lcp readLcpNpz(const std::string& file) {
  const NpzReader npz(file);
  for (const std::string& name : npz.names()) refuseLcpKey(file, name);
  for (const char* key : {"M", "q"})
    if (!npz.has(key)) failLcp(file, key, "is missing");
  Lcp lcp;
  const Array<double> M = npz.read<double>("M");
  if (M.shape.size() == 2 && M.shape[0] != M.shape[1])
    failLcp(file, "M", fmt::format("has {} rows and {} columns", M.shape[0], M.shape[1]), "M is square.");
  lcp.M = M.values;
  lcp.q = npz.read<double>("q").values;
  if (npz.has("free")) lcp.free = readRows(file, npz.read<double>("free").values);
  if (npz.has("lo")) lcp.lo = npz.readBounds("lo");
  if (npz.has("hi")) lcp.hi = npz.readBounds("hi");
  return lcp;
}

LcpJson describeBounds(const std::vector<double>& bounds) {
  LcpJson list = LcpJson::array();
  for (const double bound : bounds) list.push_back(std::isinf(bound) ? LcpJson() : LcpJson(bound));
  return list;
}

}  // namespace

bool holdsLcp(const std::string& file) {
  if (endsWith(file, ".npz")) return NpzReader(file).has("M");
  const std::string text = readFile(file, kTextLimit);
  if (text.find("\"M\"") == std::string::npos) return false;
  const LcpJson json = LcpJson::parse(text, nullptr, false);
  return json.is_object() && json.contains("M");
}

Lcp loadLcp(const std::string& file) {
  Lcp lcp = endsWith(file, ".npz") ? readLcpNpz(file) : readLcpJson(file);
  checkLcp(lcp, file);
  return lcp;
}

void saveLcp(const std::string& file, const Lcp& lcp) {
  checkLcp(lcp, file);
  const std::size_t n = lcp.q.size();
  if (endsWith(file, ".npz")) {
    NpzWriter npz(file);
    npz.add("M", lcp.M, n);
    npz.add("q", lcp.q);
    if (!lcp.free.empty()) npz.add("free", std::vector<std::int64_t>(lcp.free.begin(), lcp.free.end()));
    if (!lcp.lo.empty()) npz.addBounds("lo", lcp.lo);
    if (!lcp.hi.empty()) npz.addBounds("hi", lcp.hi);
    npz.commit();
    return;
  }
  if (!endsWith(file, ".json"))
    throw Error({file, 0, ""}, "is neither .json nor .npz", "Problems are written as .json or .npz.");
  LcpJson json{{"M", lcp.M}, {"q", lcp.q}};
  if (!lcp.free.empty()) json["free"] = lcp.free;
  if (!lcp.lo.empty()) json["lo"] = describeBounds(lcp.lo);
  if (!lcp.hi.empty()) json["hi"] = describeBounds(lcp.hi);
  writeFile(file, json.dump());
}

}  // namespace rigor
