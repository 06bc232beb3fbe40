// Numbers in text, read strictly: "1.0abc", "nan", "1,5" and "" are mistakes, never 1 or 0.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rigor/error.h"

namespace rigor {

/// The whole text must be one finite number; spaces around it are fine.
std::optional<double> parseNumber(const std::string& text);

/// Exactly `count` numbers separated by spaces; throws Error at `where`, calling the value `name`.
std::vector<double> parseNumbers(const std::string& text, std::size_t count, const std::string& name,
                                 const Place& where);

}  // namespace rigor
