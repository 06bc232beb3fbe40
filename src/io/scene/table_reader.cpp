#include "io/scene/table_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "io/file.h"

namespace rigor {

TableReader::TableReader(const TomlValue& table, std::string file, std::string element)
    : table_(&table), file_(std::move(file)), element_(std::move(element)) {
  if (table.kind != TomlValue::Kind::kTable)
    throw Error(place(), fmt::format("is {}, not a table", tomlKindName(table.kind)),
                fmt::format("Write {} and its keys below.", element_));
}

const TomlValue* TableReader::peek(const std::string& key) const {
  for (const auto& [name, value] : table_->entries)
    if (name == key) return &value;
  return nullptr;
}

const TomlValue* TableReader::find(const std::string& key) {
  asked_.insert(key);
  return peek(key);
}

Place TableReader::place(const std::string& key) const {
  const TomlValue* value = peek(key);
  return {file_, value ? value->line : table_->line, element_};
}

void TableReader::fail(const std::string& key, const std::string& problem, const std::string& remedy) const {
  throw Error(place(key), problem, remedy);
}

const TomlValue* TableReader::findKind(const std::string& key, TomlValue::Kind kind) {
  const TomlValue* value = find(key);
  if (value && value->kind != kind)
    fail(key, fmt::format("{} is {}, not {}", key, tomlKindName(value->kind), tomlKindName(kind)),
         fmt::format("Write {} as {}.", key, tomlKindName(kind)));
  return value;
}

std::optional<double> TableReader::number(const std::string& key) {
  const TomlValue* value = findKind(key, TomlValue::Kind::kNumber);
  return value ? std::optional(value->number) : std::nullopt;
}

double TableReader::positive(const std::string& key, double otherwise) {
  const double value = number(key).value_or(otherwise);
  if (!(value > 0.0)) fail(key, fmt::format("{} is {}", key, value), "Write a positive number.");
  return value;
}

double TableReader::notNegative(const std::string& key, double otherwise) {
  const double value = number(key).value_or(otherwise);
  if (value < 0.0) fail(key, fmt::format("{} is {}, below zero", key, value), "Write zero or a positive number.");
  return value;
}

bool TableReader::flag(const std::string& key, bool otherwise) {
  const TomlValue* value = findKind(key, TomlValue::Kind::kFlag);
  return value ? value->flag : otherwise;
}

std::string TableReader::text(const std::string& key, const std::string& otherwise) {
  const TomlValue* value = findKind(key, TomlValue::Kind::kText);
  return value ? value->text : otherwise;
}

std::string TableReader::requiredText(const std::string& key) {
  const std::string value = text(key, "");
  if (value.empty()) fail(key, fmt::format("has no {}", key), fmt::format("Write {} = \"…\".", key));
  return value;
}

std::vector<std::string> TableReader::texts(const std::string& key) {
  std::vector<std::string> texts;
  const TomlValue* value = findKind(key, TomlValue::Kind::kArray);
  if (!value) return texts;
  for (const TomlValue& item : value->items) {
    if (item.kind != TomlValue::Kind::kText)
      throw Error({file_, item.line, element_}, fmt::format("{} holds {}, not a name", key, tomlKindName(item.kind)),
                  fmt::format("Write {} = [\"…\", \"…\"].", key));
    texts.push_back(item.text);
  }
  return texts;
}

std::vector<double> TableReader::numbers(const TomlValue& value, std::size_t count, const std::string& name) const {
  std::vector<double> numbers;
  const bool is_array = value.kind == TomlValue::Kind::kArray;
  const bool right = is_array && value.items.size() == count &&
                     std::all_of(value.items.begin(), value.items.end(),
                                 [](const TomlValue& item) { return item.kind == TomlValue::Kind::kNumber; });
  if (!right)
    throw Error({file_, value.line, element_}, fmt::format("{} is not an array of {} numbers", name, count),
                fmt::format("Write {} numbers between square brackets.", count));
  for (const TomlValue& item : value.items) numbers.push_back(item.number);
  return numbers;
}

Eigen::Vector3d TableReader::vector(const std::string& key, const Eigen::Vector3d& otherwise) {
  const TomlValue* value = find(key);
  if (!value) return otherwise;
  const std::vector<double> xyz = numbers(*value, 3, key);
  return {xyz[0], xyz[1], xyz[2]};
}

Pose TableReader::pose() {
  Pose pose;
  pose.position = vector("position", Eigen::Vector3d::Zero());
  if (const TomlValue* value = find("quaternion_wxyz")) pose.rotation = quaternion(*value, "quaternion_wxyz");
  return pose;
}

Eigen::Quaterniond TableReader::quaternion(const TomlValue& value, const std::string& name) const {
  return unitQuaternion(numbers(value, 4, name).data(), {file_, value.line, element_}, name);
}

Eigen::Quaterniond unitQuaternion(const double* wxyz, const Place& where, const std::string& what) {
  Eigen::Quaterniond turn(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
  const double length = turn.norm();
  if (!(std::abs(length - 1.0) <= 1e-3))
    throw Error(where, fmt::format("{} has length {:.6g}, not 1", what, length),
                length > 0.0 && std::isfinite(length)
                    ? fmt::format("Write w, x, y, z of a unit quaternion, to 1e-3; of that length this one is [{:.6g}, "
                                  "{:.6g}, {:.6g}, {:.6g}].",
                                  turn.w() / length, turn.x() / length, turn.y() / length, turn.z() / length)
                    : std::string("Write w, x, y, z of a unit quaternion; no rotation is [1, 0, 0, 0]."));
  turn.coeffs() /= length;
  return turn;
}

std::string TableReader::requiredFile(const std::string& key) {
  const std::string name = requiredText(key), folder = fileFolder(file_);
  const std::filesystem::path path = std::filesystem::path(folder) / name;
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return path.string();
  const bool absolute = std::filesystem::path(name).is_absolute();
  fail(key, fmt::format("{} \"{}\": no such file", key, path.string()),
       absolute ? std::string("Check the path.")
                : fmt::format("Paths are relative to the scene file: \"{}\" is looked for in {}.", name,
                              folder.empty() ? "the current folder" : "\"" + folder + "\""));
}

std::optional<TableReader> TableReader::table(const std::string& key) {
  const TomlValue* value = find(key);
  if (!value) return {};
  return TableReader(*value, file_, element_.empty() ? fmt::format("[{}]", key) : fmt::format("{} {}", element_, key));
}

std::vector<TableReader> TableReader::tables(const std::string& key) {
  std::vector<TableReader> readers;
  const TomlValue* value = find(key);
  if (!value) return readers;
  if (value->kind != TomlValue::Kind::kArray)
    fail(key, fmt::format("{} is {}", key, tomlKindName(value->kind)),
         fmt::format("There may be several: write [[{}]] with two brackets.", key));
  for (const TomlValue& item : value->items) readers.emplace_back(item, file_, fmt::format("[[{}]]", key));
  return readers;
}

void TableReader::finish() const {
  for (const auto& [key, value] : table_->entries) {
    if (asked_.count(key)) continue;
    const std::vector<std::string> known(asked_.begin(), asked_.end());
    throw Error({file_, value.line, element_}, fmt::format("unknown key \"{}\"", key), suggestKnown(key, known));
  }
}

}  // namespace rigor
