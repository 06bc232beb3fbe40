// What is said of a name that nobody knows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigor {

/// Throws Error: `unknown KIND "name"`, with the nearest of the known names and all of them.
[[noreturn]] void refuseName(std::string_view kind, std::string_view name, const std::vector<std::string>& known);

/// "a, b, c".
std::string joinNames(const std::vector<std::string>& names);

}  // namespace rigor
