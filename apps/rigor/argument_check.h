// Checks that every command makes of its arguments. Each throws Error and says what would be right.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rigor::app {

void checkPositive(const char* option, const std::optional<double>& value);  ///< finite and above 0
void checkKnown(const char* option, const std::string& name, const std::vector<std::string>& known);
bool hasEnding(const std::string& file, std::string_view ending);  ///< e.g. ".npz", which .NPZ matches too
/// The solver is known, the law too, and the polygon can be.
void checkLaw(const std::optional<std::string>& solver, const std::optional<std::string>& law,
              const std::optional<int>& directions);
std::vector<std::string> integratorNames();

}  // namespace rigor::app
