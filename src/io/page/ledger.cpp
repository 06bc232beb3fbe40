#include "io/page/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/page/text.h"

namespace rigor {
namespace {

constexpr std::int64_t kMostNodes = 2000;

/// Every spike of a sum stays in it, so nodes are chosen by their numbers alone: all curves have the same, and can be stacked.
std::vector<std::int64_t> chooseNodes(std::int64_t nodes) {
  std::vector<std::int64_t> chosen;
  const std::int64_t count = std::min(nodes, kMostNodes);
  for (std::int64_t i = 0; i < count; ++i) chosen.push_back(count < 2 ? 0 : i * (nodes - 1) / (count - 1));
  return chosen;
}

template <class Value>
std::vector<double> sumUp(std::int64_t steps, const Value& value) {
  std::vector<double> sums{0.0};
  long double sum = 0;
  for (std::int64_t step = 0; step < steps; ++step) sums.push_back(static_cast<double>(sum += value(step)));
  return sums;
}

}  // namespace

std::string makePageLedger(const EnergyLedger* ledger) {
  if (!ledger || ledger->steps() == 0) return "null";
  const std::vector<std::int64_t> nodes = chooseNodes(static_cast<std::int64_t>(ledger->energy.size()));
  const auto pick = [&](const std::vector<double>& values) {
    std::vector<double> picked;
    for (const std::int64_t node : nodes) picked.push_back(values[node]);
    return arrayForPage(picked);
  };
  std::string accounts;
  const auto add = [&](const char* name, const std::vector<double>& sums) {
    if (std::all_of(sums.begin(), sums.end(), [](double sum) { return sum == 0.0; })) return;
    accounts += fmt::format("{}{{\"name\":\"{}\",\"work\":{}}}", accounts.empty() ? "" : ",", name, pick(sums));
  };
  for (int account = 0; account < kAccounts; ++account)
    add(kAccountNames[account], sumUp(ledger->steps(), [&](std::int64_t step) { return ledger->work[step][account]; }));
  add("integrator", sumUp(ledger->steps(), [&](std::int64_t step) { return ledger->remainder[step]; }));
  return fmt::format("{{\"time\":{},\"energy\":{},\"accounts\":[{}]}}", pick(ledger->time), pick(ledger->energy),
                     accounts);
}

}  // namespace rigor
