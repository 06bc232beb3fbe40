// Where the energy of a run went, for the stacked plot of a page.
#pragma once

#include <string>

#include "rigor/ledger.h"

namespace rigor {

/// {"time": …, "energy": …, "accounts": [{"name", "work"}]} with what has been done since the first node [J], at up to 2000
/// nodes that the run is cut at evenly; the last account is the "integrator", the sum of the remainders. Accounts that never did
/// anything are left out. "null" without a ledger, or for one without steps.
std::string makePageLedger(const EnergyLedger* ledger);

}  // namespace rigor
