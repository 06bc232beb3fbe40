// A line on the terminal that shows that a long run is alive.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "rigor/run.h"

namespace rigor::app {

/// Draws on stderr, ten times a second, and only if that is a terminal. Erases itself at the end of its life.
class Progress {
 public:
  explicit Progress(std::int64_t total);
  ~Progress();
  Progress(const Progress&) = delete;

  void show(std::int64_t done);

 private:
  using Clock = std::chrono::steady_clock;
  const std::int64_t total_;
  const bool visible_;
  const Clock::time_point start_;
  Clock::time_point next_;
};

/// What is being done and cannot tell how far it is. On stderr, only if that is a terminal; erases itself.
class Notice {
 public:
  explicit Notice(const std::string& text);
  ~Notice();
  Notice(const Notice&) = delete;

 private:
  const bool visible_;
};

/// The same for a run.
class ProgressObserver final : public RunObserver {
 public:
  void begin(const Simulator&, std::int64_t steps) override { progress_.emplace(steps); }
  void see(const Simulator&, const RunStep& step) override { progress_->show(step.count); }
  void end(Simulator&, const RunOutcome&) override { progress_.reset(); }

 private:
  std::optional<Progress> progress_;
};

}  // namespace rigor::app
