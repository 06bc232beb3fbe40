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
std::vector<std::string> solverNames();
std::vector<std::string> integratorNames();

}  // namespace rigor::app
