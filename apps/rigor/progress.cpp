#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace rigor::app {

namespace {

bool isTerminal() { return isatty(STDERR_FILENO) != 0; }

void eraseLine() { std::fputs("\r\033[K", stderr); }

}  // namespace

constexpr auto kPeriod = std::chrono::milliseconds(100);
constexpr int kBarWidth = 30;  // letters

Progress::Progress(std::int64_t total)
    : total_(total), visible_(isTerminal()), start_(Clock::now()), next_(start_ + kPeriod) {}

Progress::~Progress() {
  if (visible_) eraseLine();
}

Notice::Notice(const std::string& text) : visible_(isTerminal()) {
  if (visible_) std::fputs(("\r" + text + "\033[K").c_str(), stderr), std::fflush(stderr);
}

Notice::~Notice() {
  if (visible_) eraseLine();
}

void Progress::show(std::int64_t done) {
  if (!visible_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kPeriod;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double part = static_cast<double>(done) / static_cast<double>(total_);
  const int filled = static_cast<int>(part * kBarWidth);
  const std::string line =
      fmt::format("\r[{}{}] {:3.0f} %  {:.1f} s  {:.0f} steps/s\033[K", std::string(filled, '#'),
                  std::string(kBarWidth - filled, '.'), 100.0 * part, elapsed, static_cast<double>(done) / elapsed);
  std::fputs(line.c_str(), stderr);
}

}  // namespace rigor::app
