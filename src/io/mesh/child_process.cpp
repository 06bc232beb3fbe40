#include "io/mesh/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "rigor/error.h"

namespace rigor {
namespace {

constexpr rlim_t kMostCpuSeconds = 60;
constexpr int kPatience = 300000;  // [ms] without a byte

/// 'R' and the result, or 'E', problem, zero byte and remedy of an Error; nothing for any other exception.
std::string describeOutcome(const std::function<std::string()>& work) {
  try {
    return "R" + work();
  } catch (const Error& error) {
    const std::string& element = error.where().element;
    return "E" + (element.empty() ? "" : element + ": ") + error.problem() + '\0' + error.remedy();
  } catch (...) {
    return "";
  }
}

[[noreturn]] void beChild(const std::function<std::string()>& work, int out) {
  const rlimit cpu{kMostCpuSeconds, kMostCpuSeconds}, none{0, 0};
  ::setrlimit(RLIMIT_CPU, &cpu);
  ::setrlimit(RLIMIT_CORE, &none);
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGXCPU}) ::signal(signal, SIG_DFL);
  if (const int silence = ::open("/dev/null", O_WRONLY); silence >= 0) {
    ::dup2(silence, 1);
    ::dup2(silence, 2);
  }
  const std::string outcome = describeOutcome(work);
  for (std::size_t done = 0; done < outcome.size();) {
    const ssize_t count = ::write(out, outcome.data() + done, outcome.size() - done);
    if (count < 0 && errno != EINTR) ::_exit(1);
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  ::_exit(0);
}

/// All that comes out of a pipe; false if nothing came for too long.
bool readAll(int in, std::string& text) {
  std::string chunk(std::size_t{1} << 16, '\0');
  for (;;) {
    pollfd waiting{in, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, kPatience);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t count = ::read(in, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) return true;
    text.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::optional<std::string> runInChild(const std::function<std::string()>& work, const std::string& file) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) beChild(work, ends[1]);
  ::close(ends[1]);
  std::string outcome;
  const bool whole = child > 0 && readAll(ends[0], outcome);
  ::close(ends[0]);
  if (child < 0) return {};
  if (!whole) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!whole || !WIFEXITED(status) || WEXITSTATUS(status) != 0 || outcome.empty()) return {};
  if (outcome[0] == 'R') return outcome.substr(1);
  const std::size_t zero = outcome.find('\0');
  throw Error({file, 0, ""}, outcome.substr(1, zero - 1), zero == outcome.npos ? "" : outcome.substr(zero + 1));
}

}  // namespace rigor
