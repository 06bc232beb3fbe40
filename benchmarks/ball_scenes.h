// Heaps of balls, whose islands grow to hundreds of contacts.
#pragma once

#include "rigor/scene.h"

namespace rigor {

/// The scene of a builder, at rest at its reference pose; the two materials rub on each other and the first on itself.
Scene finishScene(ModelBuilder& builder, const char* material, const char* other, double friction);

/// n × n × n balls of 5 cm (radius, 1 kg), slightly apart and shifted at random, falling on open ground.
Scene makeOpenHeap(int n);
/// The same within four walls that leave them no more room than they need.
Scene makeBoxHeap(int n);
/// 6 × 6 × 6 balls of 10 kg and 0.1 m, 0.21 m apart and shifted by up to 1 mm at random, the lowest at 0.101 m; no friction,
/// no restitution: a published comparison of simulators.
Scene makeSixCubed();
/// `count` balls above a funnel of four slopes that end at a square hole, and the ground below it.
Scene makeFunnel(int count);

}  // namespace rigor
