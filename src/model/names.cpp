#include "model/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace rigor {
namespace {

/// Levenshtein distance: insertions, deletions and replacements of single characters.
int editDistance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replace, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

Place placeOf(const BodySpec& body, int index) {
  Place where = body.where;
  if (where.element.empty())
    where.element = body.name.empty() ? fmt::format("body {}", index) : fmt::format("body \"{}\"", body.name);
  return where;
}

std::string describeJoint(const JointSpec& joint) {
  return joint.name.empty() ? fmt::format("its {} joint", jointTypeName(joint.type))
                            : fmt::format("joint \"{}\"", joint.name);
}

std::string suggestName(const std::string& unknown, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  int distance = 0;
  for (const std::string& name : known) {
    if (name.empty()) continue;
    const int d = editDistance(unknown, name);
    if (nearest == nullptr || d < distance) nearest = &name, distance = d;
  }
  if (nearest == nullptr) return "The model has no names to choose from.";
  return fmt::format("Did you mean \"{}\"?", *nearest);
}

}  // namespace rigor
