// The program `rigor`: reads the command line, does one command, turns trouble into a message and an exit code.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <new>

#include "commands.h"
#include "output.h"

namespace rigor::app {

int execute(const HelpText& help) {
  writeResult(help.text);
  return kDone;
}

namespace {

// A caller may have closed stdin, stdout or stderr. Their numbers must not go to the files we open: the progress bar
// would end up in a recording. Read-only, so that writing a result there is still an error.
void occupyStandardStreams() {
  int file = STDIN_FILENO;
  while (file >= 0 && file <= STDERR_FILENO) file = ::open("/dev/null", O_RDONLY);
  if (file >= 0) ::close(file);
}

int runProgram(int count, const char* const* arguments) {
  try {
    return std::visit([](const auto& command) { return execute(command); }, parseArguments(count, arguments));
  } catch (const ClosedPipe&) {
    return kFailed;
  } catch (const WriteError& error) {
    tell(error.what());
    return kFailed;
  } catch (const Error& error) {
    tell(error.what());
    return kBadInput;
  } catch (const std::bad_alloc&) {
    tell("rigor: out of memory\n  Shorten the run (--time), or record less of it.");
    return kFailed;
  } catch (const std::exception& error) {
    tell(std::string("rigor: unexpected: ") + error.what() + "\n  This is a defect of rigor: please report it.");
    return kFailed;
  }
}

}  // namespace
}  // namespace rigor::app

int main(int count, char** arguments) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe then shows as an error of write()
  rigor::app::occupyStandardStreams();
  return rigor::app::runProgram(count, arguments);
}
