#include "experiments/contact_timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace rigor::experiments {
namespace {

constexpr std::size_t kPart = 200;  // contacts: 0.2 ms at 1 µs each

double errorOf(const ContactBlock& contact, const ContactAnswer& answer, Law law) {
  const ContactAnswer exact = findSingleSolve(law == Law::kCoulomb ? "secular" : "exact").solve(contact, 0.0);
  double off = 0.0, size = 0.0;
  for (int r = 0; r < 3; ++r) {
    off = std::hypot(off, answer.impulse[r] - exact.impulse[r]);
    size = std::hypot(size, exact.impulse[r]);
  }
  return size > 0.0 ? off / size : off;
}

// Nanoseconds of one round over a part of the list.
double timeRound(const SingleSolve& way, const ContactBlock* part, std::size_t count, double interval) {
  double sum = 0.0;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < count; ++i) sum += way.solve(part[i], interval).impulse[0];
  const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
  // an answer that nobody reads need not be computed
  return std::isnan(sum) ? std::numeric_limits<double>::infinity() : elapsed.count();
}

}  // namespace

std::vector<ContactTiming> timeContacts(const std::vector<ContactBlock>& contacts, double interval, int rounds,
                                        const std::function<void()>& between) {
  std::vector<ContactTiming> timings;
  for (const SingleSolve& way : listSingleSolves()) {
    ContactTiming& timing = timings.emplace_back();
    timing.name = way.name;
    timing.law = way.law;
    for (const ContactBlock& contact : contacts) {
      const ContactAnswer answer = way.solve(contact, interval);
      timing.steps += answer.steps;
      timing.error = std::max(timing.error, errorOf(contact, answer, way.law));
    }
    for (std::size_t first = 0; first < contacts.size(); first += kPart) {
      if (between) between();
      const std::size_t count = std::min(kPart, contacts.size() - first);
      double best = std::numeric_limits<double>::infinity();
      for (int round = 0; round < rounds; ++round)
        best = std::min(best, timeRound(way, &contacts[first], count, interval));
      timing.nanoseconds += best;
    }
    const double count = std::max<double>(1.0, static_cast<double>(contacts.size()));
    timing.nanoseconds /= count, timing.steps /= count;
  }
  return timings;
}

}  // namespace rigor::experiments
