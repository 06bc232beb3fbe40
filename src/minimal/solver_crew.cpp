#include "minimal/solver_crew.h"

#include <system_error>
#include <utility>

#include "math/tiny_is_zero.h"

namespace rigor {

SolverCrew::SolverCrew(Solvers solvers, const ThreadStart& start) : solvers_(std::move(solvers)) {
  workers_.reserve(solvers_.size());
  try {
    for (std::size_t i = 1; i < solvers_.size(); ++i) workers_.push_back(start([this, i] { work(*solvers_[i]); }));
  } catch (const std::system_error&) {
    // No more threads: the answers are the same with fewer, only later.
  }
}

SolverCrew::~SolverCrew() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  begin_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void SolverCrew::solve(const SolverOptions& options, Islands& islands) {
  large_.clear();
  for (int i = 0; i < islands.count && !workers_.empty(); ++i)
    if (islands.list[i].problem.W.isFactored()) large_.push_back(i);
  if (large_.size() < 2) large_.clear();
  const bool together = !large_.empty();
  if (together) {
    const std::lock_guard lock(mutex_);
    islands_ = &islands;
    options_ = options;
    next_ = 1;  // the caller begins with the first, in every step: its solver has met large islands from the start
    failure_ = nullptr;
    busy_ = static_cast<int>(workers_.size());
    ++round_;
    begin_.notify_all();
  }
  std::size_t known = 0;  // large islands passed by: others take them
  try {
    for (int i = 0; i < islands.count; ++i) {
      if (known < large_.size() && large_[known] == i)
        ++known;
      else
        first().solve(islands.list[i].problem, options, islands.list[i].solution);
    }
  } catch (...) {
    if (!together) throw;
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
  }
  if (!together) return;
  solveLarge(first(), 0);
  std::unique_lock lock(mutex_);
  end_.wait(lock, [&] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

/// Takes large islands, from the given one on, until none is left.
void SolverCrew::solveLarge(ContactSolver& solver, std::size_t begin) {
  try {
    for (std::size_t i = begin; i < large_.size(); i = next_++) {
      Island& island = islands_->list[large_[i]];
      solver.solve(island.problem, options_, island.solution);
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
  }
}

/// The life of a worker.
void SolverCrew::work(ContactSolver& solver) {
  const TinyIsZero scope;
  long done = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      begin_.wait(lock, [&] { return leaving_ || round_ != done; });
      if (leaving_) return;
      done = round_;
    }
    solveLarge(solver, next_++);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) end_.notify_one();
  }
}

}  // namespace rigor
