// Buildings of loose solids: hundreds of redundant contacts in one island that only friction and weight hold together.
#pragma once

#include "rigor/scene.h"

namespace rigor {

/// Running bond, every row as long as the others and shifted by half a brick: 0.2 × 0.1 × 0.1 m, μ 0.6, flush in all
/// directions. The heaviest brick has `mass_ratio` times the mass of the lightest (1 kg); masses are spread evenly in their
/// logarithm, at random.
Scene makeWall(int columns, int rows, double mass_ratio = 1.0);
/// Flat blocks of 0.12 × 0.024 × 0.008 m, 20 g, in pairs that cross the pair below, ends flush; μ 0.5. Several
/// such towers stand a metre apart.
Scene makeKapla(int blocks, int towers = 1);
/// Cards of 0.09 × 0.06 × 0.002 m, 5 g, that lean on each other in pairs, `levels` of them at the bottom, one less on each
/// floor above; a flat card lies over every two tips. μ 0.6.
Scene makeCardHouse(int levels);
/// Half a ring of `stones` wedges (hulls) on the ground, thickness 0.2 of the mean radius of 1 m; μ 0.7.
Scene makeArch(int stones);
/// Cubes of 0.1 m one on another; masses go from 1 kg at the bottom to `mass_ratio` kg at the top, evenly in their
/// logarithm; μ 0.5. A `gap` below each of them lets them fall.
Scene makeBoxColumn(int boxes, double mass_ratio, double gap = 0.0);
/// `count` limp chains of six capsules each, crosswise above each other, falling on the ground between four walls.
Scene makeChainHeap(int count);

}  // namespace rigor
