// Serial arms from Denavit–Hartenberg tables.
//
// Both conventions place a frame i on link i with four numbers. They differ in the order of the moves, and so in which
// end of the link carries its frame and which axis its joint turns about:
//
//   standard (Denavit and Hartenberg; RP)   frame i = frame i−1 · Rz(θ) · Tz(d) · Tx(a) · Rx(α)   joint i about z of i−1
//   modified (Craig; Khalil)                frame i = frame i−1 · Rx(α) · Tx(a) · Rz(θ) · Tz(d)   joint i about z of i
//
// In a table of the modified convention a row holds a and α of the link before it, as Craig writes a_{i−1}, α_{i−1}.
#pragma once

#include <string>
#include <vector>

#include "rigor/model.h"

namespace rigor {

enum class DhConvention : std::uint8_t { kStandard, kModified };

/// One row: the joint and the link that it moves. The body's frame is the frame i of the table.
struct DhLink {
  double a = 0.0, alpha = 0.0;  ///< [m], [rad] along and about x
  double d = 0.0, theta = 0.0;  ///< [m], [rad] along and about z; the joint's coordinate is added to one of them
  /// Name, mass, shapes and, in `joint`, its type (hinge adds to θ, slide to d), limits, damping, …; parent, axis and
  /// frames come from the table.
  BodySpec body;
};

/// Adds the links one after the other; the first hangs on `parent`, whose frame is frame 0, displaced by X_P0.
/// Returns the index of the first body. Throws Error for a joint that is neither hinge nor slide and for numbers that
/// are not finite.
int addDhLinks(ModelBuilder& builder, int parent, DhConvention convention, const std::vector<DhLink>& links,
               const Pose& X_P0 = {});

}  // namespace rigor
