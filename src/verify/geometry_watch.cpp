// The second opinion on geometry while a run goes on.
#include <fmt/format.h>

#include "io/header.h"
#include "io/recording_npz.h"
#include "rigor/verify.h"
#include "verify/findings.h"
#include "verify/near_shapes.h"
#include "verify/true_distance.h"

namespace rigor {

struct GeometryWatch::Data {
  explicit Data(const Scene& scene)
      : world(verify::readWorld(makeHeader(scene, kRecordingFormat, kRecordingVersion))) {}

  verify::Motion poseAt(const Eigen::VectorXd& q) const {
    return verify::computeMotion(world, verify::Reals(q.begin(), q.end()), {});
  }

  bool isSoft(const Contact& contact) const {
    if (!world.materials.haveSoft()) return false;
    const std::optional<verify::Pair> pair = world.findPair(contact.id);
    return pair && pair->surface.compliance > 0;
  }

  const verify::World world;
  verify::TrueDistance distances{world};
  Verdict verdict;
  verify::Findings findings{verdict};
};

GeometryWatch::GeometryWatch(const Scene& scene) : data_(std::make_unique<Data>(scene)) {}
GeometryWatch::~GeometryWatch() = default;

const Verdict& GeometryWatch::verdict() const { return data_->verdict; }

void GeometryWatch::begin(const Simulator& simulator, std::int64_t) {
  data_->distances.begin(data_->poseAt(simulator.state().q));
}

void GeometryWatch::see(const Simulator& simulator, const RunStep& step) {
  if (!step.report.accepted()) return;
  Data& d = *data_;
  const Eigen::VectorXd& q = simulator.state().q;
  const bool resets = simulator.scene().reset.every > 0.0 || simulator.scene().reset.rest_energy > 0.0;
  if (resets && q == simulator.scene().q) return d.distances.begin(d.poseAt(q));
  ++d.verdict.steps;
  d.findings.atStep(step.report.index);
  // soft contacts are as deep as their forces ask for, and say so
  const auto softDepth = [&](const verify::PairDistance& found) {
    double depth = 0.0;
    for (const Contact& contact : step.report.contacts)
      if (contact.shape_1 == found.shape_1 && contact.shape_2 == found.shape_2 && d.isSoft(contact))
        depth = std::max(depth, -contact.gap_end);
    return depth;
  };
  const auto visit = [&](const verify::PairDistance& found) {
    const verify::Real depth = -found.distance - softDepth(found);
    d.findings.check(depth, found.limit, found.deep ? nullptr : &VerifyWorst::overlap, [&] {
      return fmt::format("\"{}\" and \"{}\" overlap", d.world.shapes[found.shape_1], d.world.shapes[found.shape_2]);
    });
  };
  const verify::Motion from = d.poseAt(step.q_start), to = d.poseAt(q);
  d.distances.look(from, to, verify::findNearShapes(d.world, from, to), {}, [](int, int) { return true; }, visit);
}

}  // namespace rigor
