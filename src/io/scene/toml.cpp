#include "io/scene/toml.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "rigor/error.h"

namespace rigor {
namespace {

/// Where a value is, for messages.
struct TomlPlace {
  const std::string& file;
  std::string element;  ///< of the table that it is in: [simulation], body "ball"
  std::string key;      ///< of that table; empty in the top one
};

TomlPlace placeBelow(const TomlPlace& outer, const std::string& key, const toml::node& child) {
  if (!outer.element.empty()) return {outer.file, outer.element, outer.key.empty() ? key : outer.key + "." + key};
  if (child.is_table()) return {outer.file, fmt::format("[{}]", key), ""};
  if (child.is_array_of_tables()) return {outer.file, key, ""};
  return {outer.file, "", key};
}

/// One of the tables of [[key]], by its name if it has one.
TomlPlace placeOfTable(const TomlPlace& outer, const toml::table& table) {
  if (!outer.key.empty()) return outer;
  const std::optional<std::string> name = table["name"].value<std::string>();
  return {outer.file, name ? fmt::format("{} \"{}\"", outer.element, *name) : fmt::format("[[{}]]", outer.element), ""};
}

double checkedNumber(double value, int line, const TomlPlace& place) {
  if (!std::isfinite(value))
    throw Error({place.file, line, place.element}, fmt::format("{} holds {}, which is not finite", place.key, value),
                "Write a finite number.");
  return value;
}

// The library refuses values nested deeper than 256, so this recursion is bounded.
TomlValue copyNode(const toml::node& node, const TomlPlace& place) {
  TomlValue value;
  value.line = static_cast<int>(node.source().begin.line);
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, child] : *table) {
      const std::string name(key.str());
      value.entries.push_back({name, copyNode(child, placeBelow(place, name, child))});
    }
    std::stable_sort(value.entries.begin(), value.entries.end(),
                     [](const auto& a, const auto& b) { return a.value.line < b.value.line; });
  } else if (const toml::array* array = node.as_array()) {
    value.kind = TomlValue::Kind::kArray;
    for (const toml::node& child : *array)
      value.items.push_back(copyNode(child, child.is_table() ? placeOfTable(place, *child.as_table()) : place));
  } else if (node.is_string()) {
    value.kind = TomlValue::Kind::kText;
    value.text = node.as_string()->get();
  } else if (node.is_number()) {
    value.kind = TomlValue::Kind::kNumber;
    value.number = checkedNumber(*node.value<double>(), value.line, place);
  } else if (node.is_boolean()) {
    value.kind = TomlValue::Kind::kFlag;
    value.flag = node.as_boolean()->get();
  } else {
    value.kind = TomlValue::Kind::kOther;
  }
  return value;
}

// The library bounds nested values but not dotted keys, and takes itself down by recursion for a.a.a.… of 100 000
// parts. Words joined by dots are counted before it sees them, in keys and elsewhere alike.
void checkDottedKeys(const std::string& text, const std::string& file) {
  constexpr int kMostParts = 16;
  const auto isWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c < 0;
  };
  int parts = 0, line = 1;
  bool after_dot = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (isWord(c) || c == '"' || c == '\'') {
      parts = after_dot ? parts + 1 : 1;
      after_dot = false;
      if (isWord(c)) {
        while (i + 1 < text.size() && isWord(text[i + 1])) ++i;
      } else if (const std::size_t end = text.find_first_of(std::string{c, '\n'}, i + 1); end != std::string::npos) {
        i = text[end] == c ? end : end - 1;
      }
    } else if (c == '.') {
      after_dot = parts > 0;
    } else if (c != ' ' && c != '\t') {
      parts = 0;
      after_dot = false;
      if (c == '\n') ++line;
    }
    if (parts > kMostParts)
      throw Error({file, line, ""}, fmt::format("a key has more than {} parts", kMostParts), "Write shorter keys.");
  }
}

}  // namespace

const char* tomlKindName(TomlValue::Kind kind) {
  switch (kind) {
    case TomlValue::Kind::kTable:
      return "a table";
    case TomlValue::Kind::kArray:
      return "an array";
    case TomlValue::Kind::kText:
      return "a text";
    case TomlValue::Kind::kNumber:
      return "a number";
    case TomlValue::Kind::kFlag:
      return "true or false";
    default:
      return "a date or time";
  }
}

TomlValue parseToml(const std::string& text, const std::string& file) {
  checkDottedKeys(text, file);
  try {
    return copyNode(toml::parse(text, file), {file, "", ""});
  } catch (const toml::parse_error& error) {
    throw Error({file, static_cast<int>(error.source().begin.line), ""},
                "broken TOML: " + std::string(error.description()), "Compare with the scenes that come with rigor.");
  }
}

}  // namespace rigor
