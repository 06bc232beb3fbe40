#include "interrupt.h"

#include <csignal>

namespace rigor::app {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void setHandler(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;  // back to the default after the first signal
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptFlag::InterruptFlag() {
  interrupted = 0;
  setHandler([](int) { interrupted = 1; });
}

InterruptFlag::~InterruptFlag() { setHandler(SIG_DFL); }

bool InterruptFlag::raised() const { return interrupted != 0; }

}  // namespace rigor::app
