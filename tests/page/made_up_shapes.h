// Recordings with shapes of every kind, looks, many bodies and many meshes.
#pragma once

#include "page/made_up_runs.h"

namespace rigor {

/// A closed tube around the z axis with `sides` × `sides` vertices; its axis has the radius `ring`.
Mesh makeRing(int sides, double ring, double tube);

/// One body of each kind, turning and rising, and furniture of the kinds that only the world has. "hull" and "twin" share a
/// polytope, "triangles" and a ring of the world share a mesh.
MadeUpRun makeShapes();

/// An arm of three hinges and a slide whose links look unlike what they collide with: a coloured ring of triangles, one half
/// transparent, one without a given colour; the last has no looks. Joint i stands at 0.1·(i + 1)·sin(3 t), its velocity is
/// the derivative, its torque i + cos(7 t).
MadeUpRun makeArm();

/// `count` balls and boxes in a heap, two contacts each.
MadeUpRun makeHeap(int count);

/// Five balls that roll about on a floor within a metre, and one that leaves with 40 m/s.
MadeUpRun makeStray();

/// 50 links with a mesh of 2 · `sides`² triangles each.
MadeUpRun makeHumanoid(int sides);

}  // namespace rigor
