// Runs one named kernel a number of times, for callgrind: `count_kernels NAME N`; without arguments lists the names.
#include <cstdio>
#include <cstdlib>

#include "kernel_bench.h"

int main(int argc, char** argv) {
  const auto benches = rigor::makeKernelBenches(RIGOR_SCENES_DIR);
  for (const auto& bench : benches) {
    if (argc < 3) std::printf("%s\n", bench.name.c_str());
    if (argc < 3 || bench.name != argv[1]) continue;
    const std::function<void()> call = bench.prepare();
    for (long i = std::atol(argv[2]); i > 0; --i) call();
    return 0;
  }
  if (argc < 3) return 0;
  std::fprintf(stderr, "count_kernels: there is no kernel \"%s\"\n", argv[1]);
  return 2;
}
