// The second opinion: judges a recording again, with code that shares nothing with the simulator.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rigor/recording.h"

namespace rigor {

/// The first step that does not hold, and why.
struct BrokenStep {
  std::int64_t step = 0;
  std::string what;  ///< e.g. "momentum of joint \"LF_HAA\""
  double value = 0.0, limit = 0.0;
};

/// Worst values of the whole recording, each in its own unit.
struct VerifyWorst {
  double gap = 0.0;              ///< how much deeper than at the start of its sub-step a pair overlaps [m]
  double overlap = 0.0;          ///< true overlap of two shapes that did not overlap when the state was set [m]
  double momentum = 0.0;         ///< velocity that the balance of a kick misses, relative to the fastest freedom
  double cone = 0.0;             ///< impulse outside its friction cone, as a velocity relative to the contact's scale
  double complementarity = 0.0;  ///< impulse without closing and closing without impulse, same unit
  double energy_gain = 0.0;  ///< largest rise of a passive system's energy above an earlier node [J]; 0 if it is driven
  double contact_work = 0.0;  ///< energy that contact of solids gives in a sub-step, as a share of the kinetic energy
  double slip = 0.0;          ///< friction that does not oppose the slip, unit of `cone`
  double loop = 0.0;          ///< widest opening of a loop [m or rad]
  double limit = 0.0;         ///< how far a joint is beyond its range [m or rad]
  double energy = 0.0;        ///< recorded minus recomputed energy of a node, relative

  static VerifyWorst unseen() { return {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}; }
};

struct Verdict {
  bool holds = true;
  std::int64_t steps = 0, substeps = 0;
  std::int64_t restarts = 0;  ///< steps before which the state was set from outside; the first one is one
  BrokenStep first_bad;       ///< if it does not hold
  VerifyWorst worst;
  /// Limits differ from contact to contact and from step to step. Of each measure, the value that came nearest to its limit,
  /// or farthest beyond it, and that limit; −1: never looked at.
  VerifyWorst nearest = VerifyWorst::unseen(), limit = VerifyWorst::unseen();
  /// Nodes at which steps were so long that the limit of the energy gain was above all energy there was: not judged there.
  bool gain_too_coarse = false;
  std::vector<std::string> unchecked;  ///< what could not be judged, and why
};

/// Judges every step again in long double: gaps, momentum, friction, complementarity, loops, limits, energy, time. Throws
/// Error for a header from which the model cannot be read, and for numbers that are not finite. `judged`, if given, is called
/// with the number of steps that have been judged.
Verdict verifyRecording(const Recording& recording, const std::function<void(std::int64_t)>& judged = {});

/// Measures the true distance of all shapes that may touch after every accepted step of the run that it watches, in long
/// double and with none of the simulator's geometry. Shapes that overlap at the start may not sink deeper.
class GeometryWatch final : public RunObserver {
 public:
  explicit GeometryWatch(const Scene& scene);
  ~GeometryWatch() override;

  /// Whether no overlap is deeper than 1e-11 m and rounding; else the first that is. `worst` has the deepest one alone.
  const Verdict& verdict() const;

  void begin(const Simulator& simulator, std::int64_t steps) override;
  void see(const Simulator& simulator, const RunStep& step) override;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace rigor
