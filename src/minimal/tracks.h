// Where features went in a step whose parts went their own ways: a course straight on with the velocity at the start, and a box
// that holds how far they were led from it at any time. With a unit vector n from one to the other at the start, two of
// them come nearer by no more than
//
//   max(0, −n·(course₂ − course₁)) + max n·box₁ − min n·box₂
//
// Bodies that fall side by side do not come nearer, however fast they fall.
#pragma once

#include <vector>

#include "geometry/axis_box.h"
#include "minimal/step_tables.h"

namespace rigor {

struct StepTask;

struct Track {
  Vec3<double> course;  ///< [m] in the whole step
  Vec3<double> off;     ///< [m] from there, at the end of the sub-steps so far
  AxisBox box;          ///< [m] that holds `off` at their ends
  double slack;         ///< [m] that the way between these ends may leave the box by
};

struct Tracks {
  std::vector<Track> balls;   ///< [balls] of their centres
  std::vector<Track> solids;  ///< [shapes] of their centres; the slack is that of all their points

  void resize(const StepTables& tables) {
    balls.resize(tables.collision.ball_link.size());
    solids.resize(tables.collision.solids.size());
  }
};

/// Courses of the features of the part that is at the start pose with the velocities v.
void beginTracks(const StepTask& task, const double* v, Tracks& tracks);
/// Forgets where they were led.
void straighten(Tracks& tracks);
/// Adds a sub-step of length h of the part, from the start pose with the velocities v.
void addToTracks(const StepTask& task, const double* v, double h, Tracks& tracks);

/// [m] by which two features come nearer along n at most, had they been led `farther` times as far as they were.
double approach(const Track& track_1, const Track& track_2, const Vec3<double>& n, double farther);
/// [m] that a feature came from its place at the start at most.
double longestWay(const Track& track, double farther);

}  // namespace rigor
