#include "minimal/tracks.h"

#include <algorithm>

#include "dynamics/kinematics.h"
#include "minimal/step_work.h"

namespace rigor {
namespace {

/// A feature at the start pose.
struct Mover {
  Track& track;
  Vec3<double> velocity;  ///< [m/s] of its centre
  double turning;         ///< [m/s] the part of it that is not straight on
  double spin;            ///< [m/s] of its points about the centre
};

/// A body that nothing holds: its origin goes straight on.
bool isFree(const Topology& topology, int tree) {
  const Trees trees(topology, tree, tree + 1);
  return trees.end_link - trees.first_link == 1 && trees.end_dof - trees.first_dof == 6;
}

/// Features of the part at the start pose, with the velocities v.
template <class Visit>
void forEachMover(const StepTask& task, const double* v, Tracks& tracks, const Visit& visit) {
  StepWork& work = task.work;
  const StepTables& tables = task.tables;
  for (const Run& run : work.part.runs) computeVelocities(run.trees, work.start.pose.kin, v, work.V);
  for (const int tree : work.part.trees) {
    const bool is_free = isFree(tables.topology, tree);
    const auto visitAt = [&](Track& track, const Motion<double>& V, const Vec3<double>& arm, double spin) {
      const double turning = absoluteSum(V.angular) * absoluteSum(arm) + (is_free ? 0.0 : absoluteSum(V.linear));
      visit(Mover{track, V.linear + cross(V.angular, arm), turning, spin});
    };
    for (int k = tables.balls_start[tree]; k < tables.balls_start[tree + 1]; ++k) {
      const int ball = tables.balls_of_tree[k];
      visitAt(tracks.balls[ball], work.V[tables.collision.ball_link[ball]], work.start.pose.centres[ball].relative,
              0.0);
    }
    if (!tables.collision.has_solids) continue;
    for (const int shape : tables.collision.shapesOf(tree)) {
      const SolidPlace& place = tables.collision.solids[shape];
      const PlacedSolid& solid = work.start.pose.solids[shape];
      const Motion<double>& V = work.V[place.link];
      visitAt(tracks.solids[shape], V, solid.X_WS.p - solid.origin, absoluteSum(V.angular) * place.bound);
    }
  }
}

/// Largest n·x of a box.
double support(const AxisBox& box, const Vec3<double>& n) {
  return std::max(n.x * box.low.x, n.x * box.high.x) + std::max(n.y * box.low.y, n.y * box.high.y) +
         std::max(n.z * box.low.z, n.z * box.high.z);
}

/// A part that ends early (substeps.cpp) is not led on for the rest of its step.
void straighten(Track& track) {
  track.off = {};
  track.box = {};
  track.slack = kLeastPart * absoluteSum(track.course);
}

}  // namespace

void beginTracks(const StepTask& task, const double* v, Tracks& tracks) {
  forEachMover(task, v, tracks, [&](const Mover& mover) { mover.track.course = task.length * mover.velocity; });
}

void straighten(Tracks& tracks) {
  for (Track& track : tracks.balls) straighten(track);
  for (Track& track : tracks.solids) straighten(track);
}

// What turns leaves its tangent, an arc of θ by ½ θ² of its arm, and a joint turns by 0.3 rad at most. Along a chain levers
// change on the way as well.
void addToTracks(const StepTask& task, const double* v, double h, Tracks& tracks) {
  constexpr double kBend = 0.25;
  const double share = h / task.length;
  forEachMover(task, v, tracks, [&](const Mover& mover) {
    Track& track = mover.track;
    track.off += h * mover.velocity - share * track.course;
    grow(track.box, track.off);
    track.slack += h * (kBend * mover.turning + mover.spin);
  });
}

double approach(const Track& track_1, const Track& track_2, const Vec3<double>& n, double farther) {
  const double led = support(track_1.box, n) + support(track_2.box, -n) + track_1.slack + track_2.slack;
  return std::max(0.0, dot(n, track_1.course - track_2.course)) + farther * led;
}

double longestWay(const Track& track, double farther) {
  const Vec3<double>&low = track.box.low, &high = track.box.high;
  const double led = std::max({-low.x, high.x}) + std::max({-low.y, high.y}) + std::max({-low.z, high.z});
  return absoluteSum(track.course) + farther * (led + track.slack);
}

}  // namespace rigor
