// Every kernel on four inputs at a time. Included by the units of the instruction sets and by nothing else.
#pragma once

#include "dynamics/every_kernel.h"
#include "math/pack.h"
#include "model/broadcast.h"

namespace rigor {

template <class Pack>
bool runEveryKernelInLanes(const Topology& topology, const Parameters<double>& parameters, const double* inputs,
                           int output_size, double* outputs) {
  const int size = KernelInput<Pack>::size(topology);
  std::vector<Pack> numbers(size);
  for (int k = 0; k < size; ++k)
    for (int lane = 0; lane < kLanes; ++lane) numbers[k].setLane(lane, inputs[lane * size + k]);
  const std::vector<Pack> results = runEveryKernel(topology, broadcast<Pack>(parameters), numbers.data());
  if (static_cast<int>(results.size()) != output_size) return false;
  for (int k = 0; k < output_size; ++k)
    for (int lane = 0; lane < kLanes; ++lane) outputs[lane * output_size + k] = results[k].lane(lane);
  return true;
}

}  // namespace rigor
