#include "interrupt.h"

#include <csignal>

namespace rigor::app {
namespace {

StopFlag interrupted = false;
static_assert(StopFlag::is_always_lock_free, "a handler of signals may raise it");

void setHandler(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;  // back to the default after the first signal
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptFlag::InterruptFlag() {
  interrupted = false;
  setHandler([](int) { interrupted = true; });
}

InterruptFlag::~InterruptFlag() { setHandler(SIG_DFL); }

bool InterruptFlag::raised() const { return interrupted; }

const StopFlag* InterruptFlag::flag() { return &interrupted; }

}  // namespace rigor::app
