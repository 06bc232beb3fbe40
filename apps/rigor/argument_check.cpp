#include "argument_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "rigor/error.h"
#include "rigor/integrator.h"
#include "rigor/solver.h"

namespace rigor::app {

void checkPositive(const char* option, const std::optional<double>& value) {
  if (value && !(std::isfinite(*value) && *value > 0.0))
    throw Error(fmt::format("{} {:g}: not a finite number above 0", option, *value),
                fmt::format("Leave {} out for its default, or give a number above 0.", option));
}

void checkKnown(const char* option, const std::string& name, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw Error(fmt::format("{} {}: not known", option, name), suggestKnown(name, known));
}

bool hasEnding(const std::string& file, std::string_view ending) {
  return file.size() >= ending.size() &&
         std::equal(ending.begin(), ending.end(), file.end() - static_cast<std::ptrdiff_t>(ending.size()),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

void checkLaw(const std::optional<std::string>& solver, const std::optional<std::string>& law,
              const std::optional<int>& directions) {
  const auto naming = [](const char* option, const auto& check) {
    try {
      check();
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", option, error.problem()), error.remedy());
    }
  };
  if (law) naming("--law", [&] { findLaw(*law); });
  if (solver) naming("--solver", [&] { makeSolver(*solver); });
  if (directions && !isSoundDirections(*directions))
    throw Error(fmt::format("--directions {}: not an even number from {} to {}", *directions, kLeastDirections,
                            kMostDirections),
                "The polygon of law pyramid has that many corners.");
}

std::vector<std::string> integratorNames() {
  std::vector<std::string> names;
  for (const IntegratorInfo& integrator : listIntegrators()) names.emplace_back(integrator.name);
  return names;
}

}  // namespace rigor::app
