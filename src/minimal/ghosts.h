// Contacts that push where nothing is: steps that end so are refused.
#pragma once

#include "minimal/constraints.h"

namespace rigor {

/// True for balls that met on the way in some pass of the step, and since then may not pass the plane between them, if that pushes
/// although they are apart at the end.
bool pushesApart(const Constraint& c, const ConstraintSet& set);

/// True if a contact of solids pushes, but both when the step began and at its end lies outside the face or the edges that it
/// belongs to, by more than it slid: nothing is there to push.
/// The same if edges that are nearly parallel touch elsewhere at the end: the impulse attacked where they touched before.
bool pushesNothing(const StepContext& context, const PlacedModel& start, const StepEnd& end, const Constraint& c,
                   const ConstraintSet& set);

}  // namespace rigor
