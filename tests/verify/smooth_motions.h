// Motions whose solution is known in closed form, or by one small differential equation of its own, written down as stepper event would record them.
#pragma once

#include <functional>
#include <vector>

#include "rigor/rigor.h"

namespace rigor {

/// What is known of a motion at one time.
struct Instant {
  Eigen::VectorXd q, v;
  struct Touch {
    RowId id;
    int body_1 = -1, body_2 = 0;
    Eigen::Vector3d point, normal, force;
    int mode = 1;
  };
  std::vector<Touch> touches;
  struct Row {
    RowId id;
    double force[3] = {0, 0, 0};
  };
  std::vector<Row> rows;
  Eigen::VectorXd tau;  ///< [nv] of actuators; empty: none
};

struct SmoothMotion {
  Scene scene;  ///< its stepper is event
  /// `after`: of an event at this time, what holds after it.
  std::function<Instant(double time, bool after)> at;
  std::vector<double> events;  ///< ascending [s]; sub-steps end there
};

/// `steps` of scene.dt; an event later than it is recorded happens `late` too late.
Recording record(const SmoothMotion& motion, int steps);

/// A block that slides down a slope, comes to rest after 0.1 s and stays; on four corners.
SmoothMotion slidingBlock();
/// A ball that rolls down a slope.
SmoothMotion rollingBall();
/// A box that falls over an edge that does not slip.
SmoothMotion tippingBox();
/// Two cranks, and a coupler that a loop closes: it swings as one pendulum.
SmoothMotion parallelogram();
/// A slider with dry friction that comes to rest after 0.05 s.
SmoothMotion rubbingSlider();
/// A slider that lies at its limit, pressed on by its weight.
SmoothMotion sliderAtLimit();
/// A slider that a drive and a spring hold, swinging; the drive and its joint damp it.
SmoothMotion drivenSlider();
/// A symmetric top in free fall.
SmoothMotion freeTop();

}  // namespace rigor
