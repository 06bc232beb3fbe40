#include "reference/allocation_counter.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cstdlib>
#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace rigor {
namespace {

// The compiler may remove an allocation whose result nobody sees; this makes it seen.
template <class T>
void keep(T* pointer) {
  asm volatile("" : : "g"(pointer) : "memory");
}

TEST(AllocationCounter, SeesNothingWhereNothingIsAllocated) {
  std::vector<double> numbers(100, 1.0);
  AllocationScope scope;
  for (double& number : numbers) number *= 2.0;
  numbers.resize(50);
  numbers.resize(100);  // capacity is still there
  keep(numbers.data());
  EXPECT_EQ(scope.count(), 0);
}

TEST(AllocationCounter, SeesNewVectorsAndEigen) {
  {
    AllocationScope scope;
    auto number = std::make_unique<double>(1.0);
    keep(number.get());
    EXPECT_EQ(scope.count(), 1);
  }
  {
    AllocationScope scope;
    std::vector<double> numbers(100);
    keep(numbers.data());
    EXPECT_EQ(scope.count(), 1);
  }
  {
    AllocationScope scope;
    Eigen::VectorXd vector(100);
    keep(vector.data());
    EXPECT_EQ(scope.count(), 1);
  }
}

TEST(AllocationCounter, SeesOverAlignedNew) {
  struct alignas(64) Line {
    double values[8];
  };
  AllocationScope scope;
  auto line = std::make_unique<Line>();
  keep(line.get());
  EXPECT_EQ(scope.count(), 1);
}

TEST(AllocationCounter, SeesTheCFunctions) {
  AllocationScope scope;
  void* block = std::malloc(16);
  keep(block);
  EXPECT_EQ(scope.count(), 1);
  block = std::realloc(block, 1 << 20);
  keep(block);
  EXPECT_EQ(scope.count(), 2);
  std::free(block);
  EXPECT_EQ(scope.count(), 2);
  block = std::calloc(4, 4);
  keep(block);
  std::free(block);
  block = std::aligned_alloc(64, 128);
  keep(block);
  std::free(block);
  ASSERT_EQ(posix_memalign(&block, 64, 128), 0);
  keep(block);
  std::free(block);
  EXPECT_EQ(scope.count(), 5);
}

TEST(AllocationCounter, LeavesOutOtherThreads) {
  std::vector<double> numbers;
  std::int64_t seen_by_thread = 0, seen_here = 0;
  std::thread thread([&] {
    AllocationScope scope;
    numbers.resize(1000);
    seen_by_thread = scope.count();
  });
  AllocationScope scope;
  thread.join();
  seen_here = scope.count();
  EXPECT_EQ(seen_by_thread, 1);
  EXPECT_EQ(seen_here, 0);
}

}  // namespace
}  // namespace rigor
