// Heaps of balls, whose islands grow to hundreds of contacts.
#pragma once

#include "rigor/scene.h"

namespace rigor {

/// n × n × n balls of 5 cm (radius, 1 kg), slightly apart and shifted at random, falling on open ground.
Scene makeOpenHeap(int n);
/// The same within four walls that leave them no more room than they need.
Scene makeBoxHeap(int n);
/// `count` balls above a funnel of four slopes that end at a square hole, and the ground below it.
Scene makeFunnel(int count);

}  // namespace rigor
