// Dual numbers through the kernels: exact slopes of everything that the kernels compute.
#include "math/dual.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "dynamics/every_kernel.h"
#include "dynamics/samples.h"
#include "model/broadcast.h"

namespace rigor {
namespace {

using Numbers = std::vector<double>;

/// The model's numbers that a derivative may go along, in a fixed order: masses, inertias, places, pitch, armature, gravity.
/// Rotations of frames stay out: a turn that only renames axes is not multiplied with.
template <class T, class Visit>
void forEachNumber(Parameters<T>& p, const Visit& visit) {
  const auto visitVector = [&](Vec3<T>& a) { visit(a.x), visit(a.y), visit(a.z); };
  for (LinkInertia<T>& I : p.inertia) {
    visit(I.mass), visitVector(I.com);
    visit(I.rotational.xx), visit(I.rotational.yy), visit(I.rotational.zz);
    visit(I.rotational.xy), visit(I.rotational.xz), visit(I.rotational.yz);
  }
  for (Transform<T>& X : p.X_PJ) visitVector(X.p);
  for (T& x : p.pitch) visit(x);
  for (T& x : p.armature) visit(x);
  visitVector(p.gravity);
}

/// A state and a model on a line through both: input + s·slope, parameters + s·parameter_slope.
struct Line {
  const Topology& topology;
  const Parameters<double>& parameters;
  Numbers input, slope, parameter_slope;

  Numbers at(double s) const {
    Numbers moved = input;
    for (std::size_t k = 0; k < moved.size(); ++k) moved[k] += s * slope[k];
    Parameters<double> p = parameters;
    auto next = parameter_slope.begin();
    forEachNumber(p, [&](double& x) { x += s * *next++; });
    return runEveryKernel(topology, p, moved.data());
  }

  std::vector<Dual<>> derivative() const {
    std::vector<Dual<>> numbers;
    for (std::size_t k = 0; k < input.size(); ++k) numbers.push_back({input[k], {slope[k]}});
    Parameters<Dual<>> p = broadcast<Dual<>>(parameters);
    auto next = parameter_slope.begin();
    forEachNumber(p, [&](Dual<>& x) { x.tangent[0] = *next++; });
    return runEveryKernel(topology, p, numbers.data());
  }
};

/// At a random state, or at rest at the reference pose.
Line makeLine(Sample& s, bool at_rest) {
  Line line{s.tree.topology, s.tree.parameters, {}, {}, {}};
  const auto number = [&] { return s.random.number(-1.0, 1.0); };
  line.input.resize(KernelInput<double>::size(line.topology));
  if (!at_rest) std::generate(line.input.begin(), line.input.end(), number);
  const Eigen::VectorXd& q = at_rest ? s.model.q0() : s.q;
  std::copy(q.begin(), q.end(), line.input.begin());
  line.slope.resize(line.input.size());
  std::generate(line.slope.begin(), line.slope.end(), number);
  Parameters<double> p = line.parameters;
  forEachNumber(p, [&](double& x) { line.parameter_slope.push_back(0.1 * x * number()); });  // masses stay positive
  return line;
}

void expectSlopes(const Line& line) {
  const double d = 2.5e-4;
  const Numbers value = line.at(0.0);
  const Numbers a = line.at(-2 * d), b = line.at(-d), c = line.at(d), e = line.at(2 * d);
  const std::vector<Dual<>> dual = line.derivative();
  ASSERT_EQ(dual.size(), value.size());
  for (std::size_t k = 0; k < value.size(); ++k) {
    ASSERT_EQ(std::memcmp(&dual[k].value, &value[k], sizeof(double)), 0) << "value " << k;
    // differences of fourth order: 4e-15 times a fifth derivative, which light links on heavy ones make large, and
    // rounding of 1e-12
    const double difference = (8.0 * (c[k] - b[k]) - (e[k] - a[k])) / (12.0 * d);
    ASSERT_NEAR(dual[k].tangent[0], difference, 1e-7 * (1.0 + std::fabs(value[k]) + std::fabs(difference)))
        << "result " << k;
  }
}

TEST(DualKernels, GiveTheSlopesOfCentralDifferences) {
  forEachSample([](Sample& s) { expectSlopes(makeLine(s, false)); });
}

TEST(DualKernels, GiveTheSlopesOfCentralDifferencesAtRest) {
  forEachSample([](Sample& s) { expectSlopes(makeLine(s, true)); });
}

}  // namespace
}  // namespace rigor
