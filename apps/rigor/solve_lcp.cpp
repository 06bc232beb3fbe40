#include "solve_lcp.h"

#include <fmt/format.h>

#include <chrono>

#include "argument_check.h"
#include "json.h"
#include "output.h"
#include "rigor/io.h"
#include "rigor/run_summary.h"

namespace rigor::app {
namespace {

// Options that mean something for contact problems alone: silence would look like obedience.
void refuseContactOptions(const SolveArguments& arguments) {
  const auto refuse = [&](const char* option, const char* remedy) {
    throw Error({arguments.problem, 0, "M"}, fmt::format("is a complementarity problem: {} has no meaning", option),
                remedy);
  };
  if (arguments.law) refuse("--law", "Laws of friction belong to contact problems, which have W and b.");
  if (arguments.directions)
    refuse("--directions", "Corners of pyramids belong to contact problems, which have W and b.");
  if (arguments.solver != "auto" && arguments.solver != "lemke")
    refuse("this --solver", "Complementarity problems are solved by lemke, which is also what auto means here.");
}

std::string remarkOn(const LcpSolution& solution) {
  switch (solution.status) {
    case LcpStatus::kNoSolution:
      if (solution.certificate.empty())
        return fmt::format("No z solves this: in each of {} cases, which are all, there is a proof (--json).\n",
                           solution.branches.size());
      return "No z solves this: v of the certificate (--json) has v·w < 0 whatever z is within its bounds.\n";
    case LcpStatus::kUnsolved:
      return "No solution was found, and no proof that there is none. z is the best that was seen.\n";
    default:
      return "";
  }
}

std::string listNumbers(const std::vector<double>& values) {
  constexpr std::size_t kFew = 12;
  if (values.size() > kFew) return fmt::format("{} numbers, with --json", values.size());
  return fmt::format("{:.6g}", fmt::join(values, ", "));
}

std::string describe(const SolveArguments& arguments, double tolerance, const LcpSolution& solution,
                     double microseconds) {
  const LcpResiduals& residuals = solution.residuals;
  std::vector<std::vector<std::string>> rows{
      {"natural map", fmt::format("{:.2e}, the limit is {:.0e}", residuals.residual, tolerance)},
      {"without floor", fmt::format("{:.2e}", residuals.plain_residual)},
      {"z", listNumbers(solution.z)},
      {"w", listNumbers(solution.w)}};
  if (!solution.certificate.empty()) rows.push_back({"certificate", listNumbers(solution.certificate)});
  return fmt::format("{}: {} by lemke ({}), {} pivots, {}\n{}{}", arguments.problem, statusName(solution.status),
                     solution.stage, solution.pivots, durationText(1e-6 * microseconds), formatTable(rows),
                     remarkOn(solution));
}

}  // namespace

int executeLcp(const SolveArguments& arguments) {
  refuseContactOptions(arguments);
  const Lcp lcp = loadLcp(arguments.problem);
  LcpOptions options;
  options.tolerance = arguments.tolerance.value_or(options.tolerance);
  const auto start = std::chrono::steady_clock::now();
  const LcpSolution solution = solveLcp(lcp, options);
  const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - start;
  writeResult(arguments.json ? solveJson(solution, elapsed.count())
                             : describe(arguments, options.tolerance, solution, elapsed.count()));
  return solution.status == LcpStatus::kSolved ? kDone : kFailed;
}

}  // namespace rigor::app
