// One contact with three or five tangential rows and exact Coulomb friction, all others held: single_contact.h in more dimensions.
//
// With the normal eliminated (R added to Wnn), Ŵ, ĥ, λn0 and k′ as there, the slip compliance e = |ut|/(μ λn) is a root of
//
//   λt(e) = −(Ŵ + e I)⁻¹ ĥ,   ψ(e) = μ (λn0 − k′·λt(e))/|λt(e)| − 1,   dλt/de = −(Ŵ + e I)⁻¹ λt
//
// which is found by Newton's method kept inside a bracket, a small elimination per step. Directions that Ŵ does not move (found
// in the eigenbasis of its symmetric part) carry nothing unless ĥ points along them.
#pragma once

#include "rigor/state.h"

namespace rigor {

/// u = W λ + free without the bias; λn0 ≥ 0, open wins wherever it is an answer. Writes `next`.
template <int kTangents>
ContactMode solveRoundContact(const double W[1 + kTangents][1 + kTangents], const double* free, double bias,
                              double compliance, double mu, const double* impulse, double* next);

extern template ContactMode solveRoundContact<3>(const double W[4][4], const double*, double, double, double,
                                                 const double*, double*);
extern template ContactMode solveRoundContact<5>(const double W[6][6], const double*, double, double, double,
                                                 const double*, double*);

}  // namespace rigor
