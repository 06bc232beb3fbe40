// Curves as a table that every program reads.
#pragma once

#include <string>
#include <vector>

#include "experiments/experiment.h"

namespace rigor::experiments {

struct Column {
  std::string name;
  std::vector<double> values;
};

/// A heading, then one line per value; numbers read back to the same double, commas in names become blanks. Throws Error if the file cannot be written.
void saveCsv(const std::string& file, const std::vector<Column>& columns);

/// A table of words and numbers; commas in words become blanks.
void saveTable(const std::string& file, const Table& table);

/// Writes text and sees it arrive. Throws Error.
void saveText(const std::string& file, const std::string& text);

}  // namespace rigor::experiments
