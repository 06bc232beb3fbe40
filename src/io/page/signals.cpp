#include "io/page/signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/page/curves.h"
#include "io/page/frames.h"
#include "io/page/text.h"

namespace rigor {
namespace {

constexpr int kMostBuckets = 500, kFewestBuckets = 25;  // two points each

/// One freedom of a joint: where the recording has it.
struct Freedom {
  std::string name;
  bool angle = true;
  int q_index = -1;  // −1: part of a quaternion
  int v_index = 0;
};

std::vector<Freedom> listFreedoms(const Model& model) {
  std::vector<Freedom> freedoms;
  for (const ModelJoint& joint : model.joints()) {
    const JointType type = joint.spec.type;
    if (type == kFree) continue;
    const std::string& name = joint.spec.name.empty() ? model.body(joint.body).name : joint.spec.name;
    const int count = velocityCount(type), shifts = translationCount(type);
    for (int i = 0; i < count; ++i) {
      const bool angle = i >= shifts, quaternion = angle && type.rotation == Rotation::kAll;
      freedoms.push_back({count == 1 ? name : fmt::format("{} [{}]", name, i), angle,
                          quaternion ? -1 : joint.q_index + i, joint.v_index + i});
    }
  }
  return freedoms;
}

/// Sum of the normal forces of a body's contacts in each step [N], for the bodies that ever have one.
struct Pressed {
  int body;
  std::vector<float> force;  // [steps]
};

std::vector<Pressed> findPressed(const Scene& scene, const Recording& r) {
  std::vector<Pressed> pressed;
  std::vector<int> entry(scene.model.bodyCount(), -1);
  for (int step = 0; step < r.steps(); ++step) {
    const double h = stepLength(scene, r, step);
    for (std::int64_t c = r.contactBegin(step); c < r.contactEnd(step); ++c) {
      const Eigen::Map<const Eigen::Vector3d> impulse(&r.contact_impulse[3 * c]), normal(&r.contact_normal[3 * c]);
      for (const int body : {r.contact_body[2 * c], r.contact_body[2 * c + 1]}) {
        if (body == kWorld) continue;
        if (entry[body] < 0) {
          entry[body] = static_cast<int>(pressed.size());
          pressed.push_back({body, std::vector<float>(r.steps(), 0.0f)});
        }
        pressed[entry[body]].force[step] += static_cast<float>(impulse.dot(normal) / h);
      }
    }
  }
  std::sort(pressed.begin(), pressed.end(), [](const Pressed& a, const Pressed& b) { return a.body < b.body; });
  return pressed;
}

std::string makeSignal(int rows, int buckets, const std::function<double(int)>& value) {
  const std::vector<double> curve = makeCurve(rows, buckets, value);
  return arrayForPage(std::vector<float>(curve.begin(), curve.end()));
}

}  // namespace

std::string makePageSignals(const Scene& scene, const Recording& r) {
  const int rows = r.steps();
  const std::vector<Freedom> freedoms = listFreedoms(scene.model);
  const std::vector<Pressed> pressed = findPressed(scene, r);
  const int curves = std::max(1, static_cast<int>(3 * freedoms.size() + pressed.size()));
  const int buckets = std::clamp(kMaxSignalValues / (2 * curves), kFewestBuckets, kMostBuckets);

  std::string joints, contacts;
  for (const Freedom& f : freedoms) {
    joints += fmt::format("{}{{\"name\":{},\"angle\":{}", joints.empty() ? "" : ",", quoteForPage(f.name), f.angle);
    const auto add = [&](const char* what, const std::vector<double>& numbers, int width, int at) {
      const auto value = [&](int row) { return numbers[std::size_t(row) * width + at]; };
      joints += fmt::format(",\"{}\":{}", what, makeSignal(rows, buckets, value));
    };
    if (f.q_index >= 0) add("position", r.q, r.nq, f.q_index);
    add("velocity", r.v, r.nv, f.v_index);
    add("torque", r.tau, r.nv, f.v_index);
    joints += "}";
  }
  for (const Pressed& p : pressed) {
    const auto value = [&](int row) { return double(p.force[row]); };
    contacts += fmt::format("{}{{\"body\":{},\"force\":{}}}", contacts.empty() ? "" : ",", p.body,
                            makeSignal(rows, buckets, value));
  }
  const std::vector<double> step_times(r.time.begin(), r.time.begin() + rows);
  return fmt::format("{{\"time\":{},\n\"joints\":[{}],\n\"contacts\":[{}]}}",
                     arrayForPage(makeCurveTimes(step_times, buckets)), joints, contacts);
}

}  // namespace rigor
