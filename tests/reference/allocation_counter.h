// Counts heap allocations, so that a test can say "a step allocates nothing".
//
// Link `allocation_counter` to a test program: it replaces malloc and its relatives for the whole program, and with
// them operator new (libstdc++ takes its memory from malloc) and Eigen's aligned storage, whichever library calls.
#pragma once

#include <cstdint>

namespace rigor {

/// Allocations of this thread since its start; growing a block with realloc counts, freeing does not.
std::int64_t countAllocations();

/// Allocations of this thread since the construction of this object.
///
///     AllocationScope scope;
///     simulator.step();
///     EXPECT_EQ(scope.count(), 0);
class AllocationScope {
 public:
  AllocationScope() : before_(countAllocations()) {}
  std::int64_t count() const { return countAllocations() - before_; }

 private:
  std::int64_t before_;
};

}  // namespace rigor
