#include "text/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "rigor/error.h"

namespace rigor {

std::size_t countEdits(const std::string& a, const std::string& b) {
  // rows of the table of prefixes: this one, the one before, the one before that (for letters that changed places)
  std::vector<std::size_t> row(b.size() + 1), before(b.size() + 1), earlier(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(earlier, before);
    std::swap(before, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, before[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], earlier[j - 2] + 1);
    }
  }
  return row.back();
}

namespace {

/// The shortest of the known that the word is the beginning of; empty if there is none.
std::string findLonger(const std::string& word, const std::vector<std::string>& known) {
  constexpr std::size_t kTelling = 3;  // letters: fewer begin too much
  std::string longer;
  for (const std::string& candidate : known)
    if (word.size() >= kTelling && candidate.starts_with(word) && (longer.empty() || candidate.size() < longer.size()))
      longer = candidate;
  return longer;
}

}  // namespace

std::string findNearest(const std::string& word, const std::vector<std::string>& known) {
  std::string nearest;
  std::size_t fewest = std::max<std::size_t>(word.size() / 2, 1) + 1;
  if (word.size() > 64) return nearest;
  if (const std::string longer = findLonger(word, known); !longer.empty()) return longer;
  for (const std::string& candidate : known) {
    const std::size_t edits = countEdits(word, candidate);
    if (edits < fewest) fewest = edits, nearest = candidate;
  }
  return nearest;
}

std::string suggestKnown(const std::string& unknown, const std::vector<std::string>& known) {
  const std::string nearest = findNearest(unknown, known);
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  return (nearest.empty() ? "" : fmt::format("Did you mean \"{}\"? ", nearest)) + "Known: " + list + ".";
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
