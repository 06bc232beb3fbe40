// The kernels and steps that are counted and timed, by name. Each call does one unit of work on fixed input.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace rigor {

struct KernelBench {
  std::string name;
  std::function<std::function<void()>()> prepare;  ///< builds the input, returns the call to measure
};

/// ANYmal in its standing pose; standing on four contacts; in free flight; hanging from its feet.
std::vector<KernelBench> makeKernelBenches(const std::string& scenes);

}  // namespace rigor
