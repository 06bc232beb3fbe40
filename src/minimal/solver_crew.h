// Islands are independent problems: large ones are solved on several threads. A solver owns scratch only, so it does not
// matter which one of the crew takes which island: the answer has the same bits for any number of threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "minimal/assemble.h"
#include "rigor/solver.h"

namespace rigor {

using Solvers = std::vector<std::unique_ptr<ContactSolver>>;

class SolverCrew {
 public:
  /// Starts a thread that runs the function; may throw std::system_error.
  using ThreadStart = std::function<std::thread(std::function<void()>)>;

  /// One solver per thread; the first belongs to the caller's own. Where the system gives fewer threads, those do the work.
  explicit SolverCrew(Solvers solvers, const ThreadStart& start = startThread);
  ~SolverCrew();

  ContactSolver& first() { return *solvers_[0]; }
  int threads() const { return 1 + static_cast<int>(workers_.size()); }
  /// Solves the problems of all islands from where their solutions stand. Small ones stay on the caller's thread, and so
  /// do large ones unless there are several. Does not allocate. An exception of a solver arrives here.
  void solve(const SolverOptions& options, Islands& islands);

 private:
  static std::thread startThread(std::function<void()> work) { return std::thread(std::move(work)); }
  void solveLarge(ContactSolver& solver, std::size_t begin);
  void work(ContactSolver& solver);

  Solvers solvers_;
  // The task of the moment; written while nobody works.
  Islands* islands_ = nullptr;
  SolverOptions options_;
  std::vector<int> large_;            // islands that any of the crew may take
  std::atomic<std::size_t> next_{0};  // of them
  std::exception_ptr failure_;

  std::mutex mutex_;  // of what follows, and of failure_
  std::condition_variable begin_, end_;
  long round_ = 0;  // tasks so far
  int busy_ = 0;    // workers that have not finished the present one
  bool leaving_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace rigor
