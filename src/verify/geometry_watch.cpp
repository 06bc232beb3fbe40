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
  const auto visit = [&](const verify::PairDistance& found) {
    d.findings.check(-found.distance, found.limit, found.deep ? nullptr : &VerifyWorst::overlap, [&] {
      return fmt::format("\"{}\" and \"{}\" overlap", d.world.shapes[found.shape_1], d.world.shapes[found.shape_2]);
    });
  };
  const verify::Motion from = d.poseAt(step.q_start), to = d.poseAt(q);
  d.distances.look(from, to, verify::findNearShapes(d.world, from, to), {}, [](int, int) { return true; }, visit);
}

}  // namespace rigor
