// How much of a bounce energy allows.
#pragma once

#include "rigor/contact_problem.h"

namespace rigor {

/// Largest θ in [0, 1] for which λc + θ (λe − λc) does not raise the energy; λe is overwritten with that impulse. `lost` [J]: by how much
/// it may, since an earlier phase of the same impact took that.
double guardEnergy(const ContactProblem& problem, const double* plastic, double* elastic, double lost = 0.0);

}  // namespace rigor
