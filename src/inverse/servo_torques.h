// The torques that servos of a step stand for. A servo of a step that was cut into sub-steps pushes in each of them as it likes; one
// torque that acts all the time gives the same impulse: τ = Σ λ / Σ κ.
#pragma once

#include <vector>

#include "minimal/step_work.h"

namespace rigor {

class ServoTorques {
 public:
  void resize(int nv) {
    impulse_.assign(nv, 0.0);
    kick_.assign(nv, 0.0);
  }
  /// To be told of every sub-step; one that is the first of a step begins anew.
  void see(const StepWork& work, bool first);
  double of(int dof) const { return kick_[dof] > 0.0 ? impulse_[dof] / kick_[dof] : 0.0; }

 private:
  std::vector<double> impulse_, kick_;  // [nv]
};

}  // namespace rigor
