// From event to event: smooth motion with modes that stay, then an impact, a contact that settles, slips, sticks or opens, and so on.
//
//   node → [ strike ] → modes → piece → node → …
//
// Everything at a node is that of time stepping: the search for contacts, the impact laws with their guard (minimal/strike.h), the report and the
// recording. Between nodes the motion is integrated with the modes held (piece.h). Where no modes can be found, or events do not let
// time pass (Painlevé's rod, a jam), a short sub-step of the time stepper goes on instead and is told (StepReport::fallbacks).
#pragma once

#include "event/fallback.h"
#include "event/modes.h"
#include "event/piece.h"
#include "minimal/time_stepper.h"

namespace rigor {

class EventStepper final : public Stepper {
 public:
  /// Works in the memory of `ground`, which takes over where there is no smooth motion, and must outlive it.
  EventStepper(TimeStepper& ground, const PieceOptions& options);

  void step(const StepInput& input, const Snapshot& from, double h, Snapshot& to, StepReport& report) override;
  void findNode(const StepInput& input, const Snapshot& from, double h, StepReport& node) override;

 private:
  StepStatus takeStep(const StepTask& task, const Snapshot& from, Snapshot& to);
  StepStatus prepare(const StepTask& task, const Snapshot& at, double length, Snapshot& next);
  bool strikes(const StepTask& task) const;
  StepStatus strikeNow(const StepTask& task);
  StepStatus goOnSmoothly(const StepTask& task, double longest);
  StepStatus fallBack(const StepTask& task, double left);
  void commit(const StepTask& task);
  void writeImpulses(const StepTask& task, const StepContext& context, double h);
  void remember(const Snapshot& from, Snapshot& to);
  double limitOfBounces(const StepTask& task, int slot, double top) const;
  void tellEvents(const StepTask& task, const PieceEnd& end);

  TimeStepper& ground_;
  const StepTables& tables_;
  PieceTaker piece_;
  Fallback fallback_;
  ModeProblem problem_;
  Snapshot now_, next_;
  PieceEnd last_;         ///< of this step
  int stuck_ = 0;         ///< events in a row in which no time passed
  int short_pieces_ = 0;  ///< pieces in a row in which hardly any did
};

/// What this stepper does not follow yet, by name and with a remedy; throws Error.
void refuseWithoutEvents(const StepTables& tables);

}  // namespace rigor
