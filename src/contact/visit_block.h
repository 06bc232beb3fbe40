// The one place that knows all kinds of blocks. Judge, proofs, checks, files and solvers ask the units of a block; a new
// kind is a file of its own and a line here.
#pragma once

#include "contact/dissipation_cone.h"
#include "contact/equal_row.h"
#include "contact/friction_cone.h"
#include "contact/half_line.h"
#include "contact/interval.h"
#include "contact/pyramid_cone.h"
#include "contact/round_cone.h"
#include "rigor/contact_problem.h"

namespace rigor {

/// Names the type of a block's units.
template <class T>
struct UnitType {
  using Unit = T;
};

/// Calls f with the UnitType of this kind; contacts may have three (or any other number is asked for), four or six rows.
template <class F>
inline decltype(auto) visitKind(BlockKind kind, int size, F&& f) {
  if (kind == BlockKind::kContact) {
    if (size == FrictionCone::kRows) [[likely]]
      return f(UnitType<FrictionCone>());  // nearly every block
    if (size == TorsionCone::kRows) return f(UnitType<TorsionCone>());
    if (size == RollingCone::kRows) return f(UnitType<RollingCone>());
    return f(UnitType<FrictionCone>());
  }
  switch (kind) {
    case BlockKind::kAtLeast:
      return f(UnitType<HalfLine>());
    case BlockKind::kBox:
      return f(UnitType<Interval>());
    case BlockKind::kContact:
    case BlockKind::kEqual:
      break;
  }
  return f(UnitType<EqualRow>());
}

template <class F>
inline decltype(auto) visitBlock(const Block& block, F&& f) {
  return visitKind(block.kind, block.size, f);
}

/// True for laws whose contacts are no FrictionCone.
inline bool hasOtherCones(Law law) { return law >= Law::kDissipation; }

/// The same with the contacts of the problem's law: for judge, sweeps and nonsmooth maps. All other stages know Coulomb's
/// cone only, and no problem of another law gets to them.
template <class F>
inline decltype(auto) visitByLaw(Law law, const Block& block, F&& f) {
  if (hasOtherCones(law) && block.kind == BlockKind::kContact && block.size == FrictionCone::kRows)
    return law == Law::kPyramid ? f(UnitType<PyramidCone>()) : f(UnitType<DissipationCone>());
  return visitKind(block.kind, block.size, f);
}

/// f(row) for the first row of every unit of a block. Rows that a law ties together are a block of their own; others may
/// stand side by side in one.
template <class Unit, class F>
inline void forEachFirstRow(const Block& block, F&& f) {
  if constexpr (Unit::kRows > 1)
    f(block.row);
  else
    for (int row = block.row; row < block.row + block.size; ++row) f(row);
}

/// f(unit, row) for every unit of the block, `row` its first row.
template <class F>
inline void forEachUnit(const ContactProblem& problem, const Block& block, F&& f) {
  visitBlock(block, [&]<class Unit>(UnitType<Unit>) {
    forEachFirstRow<Unit>(block, [&](int row) { f(Unit(problem, block, row), row); });
  });
}

template <class F>
inline void forEachUnit(const ContactProblem& problem, F&& f) {
  for (const Block& block : problem.blocks) forEachUnit(problem, block, f);
}

/// f(unit, row) for every unit by the problem's law.
template <class F>
inline void forEachUnitByLaw(const ContactProblem& problem, const Block& block, F&& f) {
  visitByLaw(problem.law, block, [&]<class Unit>(UnitType<Unit>) {
    forEachFirstRow<Unit>(block, [&](int row) { f(Unit(problem, block, row), row); });
  });
}
template <class F>
inline void forEachUnitByLaw(const ContactProblem& problem, F&& f) {
  if (!hasOtherCones(problem.law)) return forEachUnit(problem, f);  // nearly every problem: no block asks
  for (const Block& block : problem.blocks) forEachUnitByLaw(problem, block, f);
}

/// True if `test` holds for the unit type of some block.
template <class F>
inline bool anyBlock(const ContactProblem& problem, F&& test) {
  for (const Block& block : problem.blocks)
    if (visitBlock(block, test)) return true;
  return false;
}
inline bool isEquation(const Block& block) {
  return visitBlock(block, []<class Unit>(UnitType<Unit>) { return Unit::kEquation; });
}
inline bool hasEqualRows(const ContactProblem& problem) {
  return anyBlock(problem, []<class Unit>(UnitType<Unit>) { return Unit::kEquation; });
}
inline bool hasNormalRows(const ContactProblem& problem) {
  return anyBlock(problem, []<class Unit>(UnitType<Unit>) { return Unit::kNormalRows > 0; });
}

}  // namespace rigor
