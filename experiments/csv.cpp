#include "experiments/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "rigor/error.h"

namespace rigor::experiments {
namespace {

std::string withoutCommas(std::string word) {
  std::replace(word.begin(), word.end(), ',', ' ');
  return word;
}

}  // namespace

void saveText(const std::string& file, const std::string& text) {
  std::FILE* out = std::fopen(file.c_str(), "wb");
  bool good = out && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  const int reason = errno;
  if (out) good = std::fclose(out) == 0 && good;
  if (!good)
    throw Error(Place{file, 0, ""}, std::string("cannot write this file: ") + std::strerror(reason),
                "Choose a folder in which you may write, with room in it.");
}

void saveCsv(const std::string& file, const std::vector<Column>& columns) {
  std::string text;
  for (const Column& column : columns) text += (text.empty() ? "" : ",") + withoutCommas(column.name);
  text += "\n";
  for (std::size_t row = 0; row < columns.front().values.size(); ++row) {
    for (std::size_t k = 0; k < columns.size(); ++k)
      text += fmt::format("{}{}", k == 0 ? "" : ",", columns[k].values[row]);  // shortest text of the same double
    text += "\n";
  }
  saveText(file, text);
}

void saveTable(const std::string& file, const Table& table) {
  std::string text;
  for (const std::string& column : table.columns) text += (text.empty() ? "" : ",") + withoutCommas(column);
  for (const auto& row : table.rows)
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double* number = std::get_if<double>(&row[k]);
      text +=
          (k == 0 ? "\n" : ",") + (number ? fmt::format("{}", *number) : withoutCommas(std::get<std::string>(row[k])));
    }
  saveText(file, text + "\n");
}

}  // namespace rigor::experiments
