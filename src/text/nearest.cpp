#include "text/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace rigor {

std::size_t countEdits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);  // of the table of prefixes
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::string findNearest(const std::string& word, const std::vector<std::string>& known) {
  std::string nearest;
  std::size_t fewest = std::max<std::size_t>(word.size() / 2, 1) + 1;
  if (word.size() > 64) return nearest;
  for (const std::string& candidate : known) {
    const std::size_t edits = countEdits(word, candidate);
    if (edits < fewest) fewest = edits, nearest = candidate;
  }
  return nearest;
}

std::string suggestName(const std::string& unknown, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  std::size_t fewest = 0;
  for (const std::string& name : known) {
    if (name.empty()) continue;
    const std::size_t edits = countEdits(unknown, name);
    if (nearest == nullptr || edits < fewest) nearest = &name, fewest = edits;
  }
  if (nearest == nullptr) return "The model has no names to choose from.";
  return fmt::format("Did you mean \"{}\"?", *nearest);
}

}  // namespace rigor
