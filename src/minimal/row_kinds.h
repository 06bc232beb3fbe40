// The one place that knows which kind of row is in which file.
#pragma once

#include "minimal/contact_rows.h"
#include "minimal/freedom_rows.h"
#include "minimal/joint_rows.h"
#include "minimal/loop_rows.h"
#include "minimal/spring_rows.h"

namespace rigor {

/// Calls visit(kind) with the verbs of the constraint's kind: secant, rows, addImpulse, addImpulseSize, held, stay.
template <class Visit>
decltype(auto) visitRows(const Constraint& c, Visit&& visit) {
  switch (c.source) {
    case RowSource::kContact:
      return visit(ContactRows{});
    case RowSource::kLoop:
    case RowSource::kOwn:  // closed as loops are
      return visit(LoopPartRows{});
    case RowSource::kLoopFreedom:
      return visit(LoopFreedomRows{});
    case RowSource::kSpring:
      return visit(SpringRows{});
    case RowSource::kLimit:
    case RowSource::kMotor:
    case RowSource::kDryFriction:
    case RowSource::kServo:
      break;
  }
  return visit(JointRows{});
}

}  // namespace rigor
