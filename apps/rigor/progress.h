// A line on the terminal that shows that a long run is alive.
#pragma once

#include <chrono>
#include <cstdint>

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

}  // namespace rigor::app
