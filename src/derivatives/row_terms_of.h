// The one place of this folder that asks what kind of row a constraint is.
#pragma once

#include "minimal/constraints.h"

namespace rigor {

/// How the rows of a constraint are differentiated.
enum class RowTerms : unsigned char {
  kContact,
  kLoop,      ///< a part of a loop between frames
  kCoupling,  ///< of two joints
  kLimit,
  kSpeed,  ///< u = v′ of a joint: a motor that is a row, dry friction
  kNone,   ///< not yet
};

inline RowTerms termsOf(const StepContext& context, const Constraint& c) {
  switch (c.source) {
    case RowSource::kContact:
      return RowTerms::kContact;
    case RowSource::kLimit:
      return RowTerms::kLimit;
    case RowSource::kMotor:
    case RowSource::kDryFriction:
      return RowTerms::kSpeed;
    case RowSource::kLoop: {
      const LoopRows rows = context.tables.loops[c.index].rows;
      if (rows == LoopRows::kCoupling) return RowTerms::kCoupling;
      return rows == LoopRows::kScrew ? RowTerms::kNone : RowTerms::kLoop;
    }
    case RowSource::kOwn:
    case RowSource::kSpring:
    case RowSource::kLoopFreedom:
      break;
  }
  return RowTerms::kNone;
}

/// Whether an impulse acts on links, through their poses, and not on joints alone.
inline bool actsOnLinks(RowTerms terms) { return terms == RowTerms::kContact || terms == RowTerms::kLoop; }

/// Of rows without derivatives, what they are.
inline const char* nameUnknown(const Constraint& c) {
  switch (c.source) {
    case RowSource::kOwn:
      return "an own constraint";
    case RowSource::kSpring:
      return "a spring or damper between bodies";
    case RowSource::kLoopFreedom:
      return "a stop, dry friction or motor on the freedom of a loop";
    default:
      return "a screw in a loop";
  }
}

}  // namespace rigor
