#include "inverse/servo_torques.h"

#include <algorithm>

#include "minimal/joint_rows.h"

namespace rigor {

void ServoTorques::see(const StepWork& work, bool first) {
  if (first) {
    std::fill(impulse_.begin(), impulse_.end(), 0.0);
    std::fill(kick_.begin(), kick_.end(), 0.0);
  }
  forEachServo(work.set, [&](int dof, double impulse) {
    impulse_[dof] += impulse;
    kick_[dof] += work.motion.kick[dof];
  });
}

}  // namespace rigor
