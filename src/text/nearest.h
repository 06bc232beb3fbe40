// Which known word a mistyped one was meant to be.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rigor {

/// Levenshtein distance: insertions, deletions and replacements of single characters.
std::size_t countEdits(const std::string& a, const std::string& b);

/// The known word closest to `word`, or "" if none is similar.
std::string findNearest(const std::string& word, const std::vector<std::string>& known);

/// A remedy for an unknown name: the nearest known one, or that there is none.
std::string suggestName(const std::string& unknown, const std::vector<std::string>& known);

}  // namespace rigor
