// How long one contact takes by each of the single-contact solves, on the same list of contacts (PC table I).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigor/single_contact.h"

namespace rigor::experiments {

struct ContactTiming {
  std::string name;  ///< of the solve (listSingleSolves)
  Law law = Law::kCoulomb;
  double nanoseconds = 0.0;  ///< per contact: the mean over the list of the best round of each of its parts
  double steps = 0.0;        ///< of its iteration, in the mean
  double error = 0.0;        ///< largest |λ − λ_exact| / |λ_exact| by its own law
};

/// Times every solve on the contacts, with searches that end at `interval` [N s]. The list is cut into parts of a few
/// hundred contacts, each timed `rounds` times, so that a round takes less than half a millisecond: longer ones measure what
/// else the machine does. Give slips alone to time slips. `between` is called between
/// two parts and may throw.
std::vector<ContactTiming> timeContacts(const std::vector<ContactBlock>& contacts, double interval, int rounds = 20,
                                        const std::function<void()>& between = {});

}  // namespace rigor::experiments
