#include "reference/allocation_counter.h"

#include <cerrno>
#include <cstddef>

namespace {
thread_local constinit std::int64_t allocations = 0;
}  // namespace

namespace rigor {
std::int64_t countAllocations() { return allocations; }
}  // namespace rigor

#if defined(__SANITIZE_ADDRESS__)

// The address sanitizer owns malloc and tells us of each allocation instead. (GCC ships the function, not its header.)
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, std::size_t),
                                                         void (*on_free)(const volatile void*));

namespace {
void countOne(const volatile void*, std::size_t) { ++allocations; }
void countNone(const volatile void*) {}
[[maybe_unused]] const int kInstalled = __sanitizer_install_malloc_and_free_hooks(countOne, countNone);
}  // namespace

#else

// glibc's allocator under the names it keeps for programs that replace malloc. free() stays glibc's own.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}

void* realloc(void* block, std::size_t size) {
  ++allocations;
  return __libc_realloc(block, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  ++allocations;
  *block = __libc_memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}
}

#endif
