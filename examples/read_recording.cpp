// Reads a recording: energy, the deepest gap, and who touched whom. The same in Python: read_recording.py.
//
//   ./rig run scenes/anymal_drop.toml --time 1 --out drop.npz
//   read_recording drop.npz
//
// The arrays are described in docs/formats.md. The names of the bodies are in the header, which is JSON; any library reads
// it.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "rigor/recording.h"

namespace {

using rigor::Recording;

void printEnergy(const Recording& run) {
  const auto energy = [&](std::size_t node) { return run.energy[2 * node] + run.energy[2 * node + 1]; };
  double gain = 0.0;
  for (std::size_t node = 0; node < run.time.size(); ++node) gain = std::max(gain, energy(node) - energy(0));
  std::printf("energy: %.6f J at the start, %.6f J at the end, never more than %.1e J above the start\n", energy(0),
              energy(run.time.size() - 1), gain);
}

/// Gaps at the ends of sub-steps, of all contacts that were near.
void printDeepestGap(const Recording& run) {
  const auto deepest = std::min_element(run.contact_gap_end.begin(), run.contact_gap_end.end());
  if (deepest == run.contact_gap_end.end()) return void(std::printf("nothing came near anything\n"));
  std::printf("deepest gap: %.1e m\n", *deepest);
}

struct Touch {
  std::int64_t substeps = 0;  ///< contacts with an impulse, one by one
  double impulse = 0.0;       ///< along the normal [N s]
};

void printTouches(const Recording& run) {
  const auto names = nlohmann::json::parse(run.header)["names"]["bodies"].get<std::vector<std::string>>();
  const auto nameOf = [&](int body) { return body < 0 ? std::string("world") : names[body]; };
  std::map<std::pair<int, int>, Touch> touches;
  for (std::size_t c = 0; c < run.contact_gap_end.size(); ++c) {
    const double *impulse = &run.contact_impulse[3 * c], *normal = &run.contact_normal[3 * c];
    const double along = impulse[0] * normal[0] + impulse[1] * normal[1] + impulse[2] * normal[2];
    if (along <= 0.0) continue;  // near, but open
    Touch& touch = touches[{run.contact_body[2 * c], run.contact_body[2 * c + 1]}];
    ++touch.substeps;
    touch.impulse += along;
  }
  for (const auto& [bodies, touch] : touches)
    std::printf("%s touches %s: %lld times, %.6f N s in all\n", nameOf(bodies.second).c_str(),
                nameOf(bodies.first).c_str(), static_cast<long long>(touch.substeps), touch.impulse);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: read_recording FILE.npz\n"), 2;
  try {
    const Recording run = rigor::loadRecording(argv[1]);
    std::printf("%d steps of %g s\n", run.steps(), run.dt);
    printEnergy(run);
    printDeepestGap(run);
    printTouches(run);
  } catch (const std::exception& error) {  // rigor::Error says file, problem and remedy
    return std::fprintf(stderr, "%s\n", error.what()), 2;
  }
}
