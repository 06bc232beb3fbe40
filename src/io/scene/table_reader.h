// Reads the keys of one TOML table; in the end every key must have been asked for.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "io/scene/toml.h"
#include "rigor/error.h"
#include "rigor/shape.h"

namespace rigor {

/// A missing key gives the value `otherwise` (or nothing); a key of the wrong kind is an Error with its line. The table
/// must outlive the reader.
class TableReader {
 public:
  TableReader(const TomlValue& table, std::string file, std::string element);

  bool has(const std::string& key) { return find(key) != nullptr; }
  /// The same for a key that is refused wherever it is found: it does not become a known one.
  bool mentions(const std::string& key) const { return peek(key) != nullptr; }
  const TomlValue* find(const std::string& key);  ///< nullptr if absent
  std::optional<double> number(const std::string& key);
  double positive(const std::string& key, double otherwise);
  double notNegative(const std::string& key, double otherwise);
  bool flag(const std::string& key, bool otherwise);
  std::string text(const std::string& key, const std::string& otherwise);
  std::string requiredText(const std::string& key);
  /// Path of a file that the scene names; fails if it is not there, and says where it was looked for.
  std::string requiredFile(const std::string& key);
  std::vector<std::string> texts(const std::string& key);
  Eigen::Vector3d vector(const std::string& key, const Eigen::Vector3d& otherwise);
  Pose pose();  ///< of `position` and `quaternion_wxyz`
  std::optional<TableReader> table(const std::string& key);
  std::vector<TableReader> tables(const std::string& key);  ///< of an array of tables
  /// Throws for a key that nobody asked for, naming the nearest one that somebody did.
  void finish() const;

  const std::vector<TomlEntry>& entries() const { return table_->entries; }
  void rename(std::string element) { element_ = std::move(element); }
  const std::string& file() const { return file_; }
  Place place() const { return {file_, table_->line, element_}; }
  Place place(const std::string& key) const;
  /// w, x, y, z of length 1. Four rounded digits (1e-3) are accepted and made exact; more than that is another quaternion.
  Eigen::Quaterniond quaternion(const TomlValue& value, const std::string& name) const;
  /// Exactly `count` finite numbers.
  std::vector<double> numbers(const TomlValue& value, std::size_t count, const std::string& name) const;
  [[noreturn]] void fail(const std::string& key, const std::string& problem, const std::string& remedy) const;

 private:
  const TomlValue* peek(const std::string& key) const;
  const TomlValue* findKind(const std::string& key, TomlValue::Kind kind);

  const TomlValue* table_;
  std::string file_, element_;
  std::set<std::string> asked_;
};

/// The same for numbers from another file.
Eigen::Quaterniond unitQuaternion(const double* wxyz, const Place& where, const std::string& what);

}  // namespace rigor
