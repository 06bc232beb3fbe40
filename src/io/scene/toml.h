// TOML as a plain tree with line numbers, so that only one file knows the TOML library.
#pragma once

#include <string>
#include <vector>

namespace rigor {

struct TomlEntry;

struct TomlValue {
  enum class Kind { kTable, kArray, kText, kNumber, kFlag, kOther };
  Kind kind = Kind::kTable;
  int line = 0;
  std::string text;                ///< kText
  double number = 0.0;             ///< kNumber: whole or not, always finite
  bool flag = false;               ///< kFlag
  std::vector<TomlValue> items;    ///< kArray
  std::vector<TomlEntry> entries;  ///< kTable, sorted by line
};

struct TomlEntry {
  std::string name;
  TomlValue value;
};

const char* tomlKindName(TomlValue::Kind kind);  ///< "a table", "a number", …

/// The top table of a TOML text. `file` is used in messages only. Throws Error.
TomlValue parseToml(const std::string& text, const std::string& file);

}  // namespace rigor
