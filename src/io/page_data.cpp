#include "io/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/poses.h"

namespace rigor {
namespace {

constexpr double kFramesPerSecond = 60.0;
constexpr int kBuckets = 1000;    // two points each: more than a laptop's plot has pixels
constexpr double kLimit = 1e-10;  // the judge's default ε, drawn as a line

// Accepts what a person may call a body: quotes, line breaks (shown as the terminal shows them), "</script>".
std::string quote(const std::string& name) {
  const std::string text = printable(name);
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (code < 0x20 || code == 0x7f || c == '<')
      out += fmt::format("\\u{:04x}", code);
    else
      out += c;
  }
  return out + '"';
}

// JSON has no NaN and no infinity.
std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

template <class Values>
std::string list(const Values& values) {
  std::string out = "[";
  for (const double value : values) out += (out.size() > 1 ? "," : "") + number(value);
  return out + "]";
}

template <class T>
std::string base64(const std::vector<T>& values) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  const std::size_t size = values.size() * sizeof(T);
  std::string out = "\"";
  out.reserve(size * 4 / 3 + 6);
  for (std::size_t i = 0; i < size; i += 3) {
    const std::size_t count = std::min<std::size_t>(3, size - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out + '"';
}

void append(const Pose& pose, std::vector<float>& out) {
  for (const double x : pose.position) out.push_back(static_cast<float>(x));
  const Eigen::Quaterniond& r = pose.rotation;
  for (const double x : {r.w(), r.x(), r.y(), r.z()}) out.push_back(static_cast<float>(x));
}

void check(const Scene& scene, const Recording& recording) {
  const std::size_t n = recording.time.size();
  if (n == 0) throw Error("the recording has no step, so there is nothing to show", "Run at least one step.");
  if (recording.nq != scene.model.nq())
    throw Error(fmt::format("the recording has {} coordinates, the scene's model {}", recording.nq, scene.model.nq()),
                "Give the scene that was recorded.");
  const bool whole = recording.q.size() == n * recording.nq && recording.energy.size() == 2 * n &&
                     recording.residual.size() == 3 * n && recording.penetration.size() == n &&
                     recording.iterations.size() == n && recording.contact_start.size() == n + 1;
  const std::size_t contacts = recording.contact_mode.size();
  if (!whole || recording.contact_point.size() != 3 * contacts || recording.contact_impulse.size() != 3 * contacts ||
      recording.contact_body.size() != 2 * contacts || recording.contact_start.front() != 0 ||
      static_cast<std::size_t>(recording.contact_start.back()) != contacts ||
      !std::is_sorted(recording.contact_start.begin(), recording.contact_start.end()))
    throw Error("the arrays of the recording do not fit together", "The file is damaged or cut; record it again.");
}

// Length of the step of one row [s]; the last one has no successor to measure it by.
double stepLength(const Scene& scene, const Recording& recording, int row) {
  return row + 1 < recording.steps() ? recording.time[row + 1] - recording.time[row] : scene.dt;
}

std::string describeBodies(const Model& model) {
  std::string out = "[";
  for (int body = 0; body < model.bodyCount(); ++body) {
    const BodySpec& spec = model.body(body);
    out += fmt::format("{}{{\"name\":{},\"parent\":{},\"mass\":{}}}", body ? "," : "", quote(spec.name), spec.parent,
                       number(spec.mass.mass));
  }
  return out + "]";
}

std::string describeShapes(const Model& model) {
  static constexpr const char* kKinds[] = {"sphere", "capsule", "box", "plane"};  // order of ShapeKind
  std::string out = "[";
  for (const ModelShape& shape : model.shapes()) {
    std::vector<float> pose;
    append(shape.X_BS, pose);
    out += fmt::format("{}{{\"name\":{},\"body\":{},\"kind\":\"{}\",\"size\":{},\"pose\":{}}}",
                       out.size() > 1 ? "," : "", quote(shape.name), shape.body,
                       kKinds[static_cast<int>(shape.shape.kind)], list(shape.shape.size), list(pose));
  }
  return out + "]";
}

std::string describeFrames(const Scene& scene, const Recording& recording) {
  const std::vector<int> rows = chooseFrames(recording, scene.model.bodyCount());
  std::vector<double> time;
  std::vector<float> pose, point, force;
  std::vector<std::int32_t> contact_start{0};
  std::vector<std::uint8_t> mode;
  for (const int row : rows) {
    time.push_back(recording.time[row]);
    const Eigen::VectorXd q =
        Eigen::Map<const Eigen::VectorXd>(&recording.q[std::size_t(row) * recording.nq], recording.nq);
    for (const Pose& X_WB : bodyPoses(scene.model, q)) append(X_WB, pose);

    const double h = stepLength(scene, recording, row);
    for (std::int64_t c = recording.contact_start[row]; c < recording.contact_start[row + 1]; ++c) {
      // The arrow is drawn for the body that can move: action on body 2, reaction on body 1 if 2 is the world.
      const double sign = recording.contact_body[2 * c + 1] == kWorld ? -1.0 : 1.0;
      for (int k = 0; k < 3; ++k) {
        point.push_back(static_cast<float>(recording.contact_point[3 * c + k]));
        force.push_back(static_cast<float>(sign * recording.contact_impulse[3 * c + k] / h));
      }
      mode.push_back(recording.contact_mode[c]);
    }
    contact_start.push_back(static_cast<std::int32_t>(mode.size()));
  }
  return fmt::format(
      "{{\"row\":{},\"time\":{},\"pose\":{},\"contact_start\":{},\"contact_point\":{},\"contact_force\":{},"
      "\"contact_mode\":{}}}",
      base64(std::vector<std::int32_t>(rows.begin(), rows.end())), base64(time), base64(pose), base64(contact_start),
      base64(point), base64(force), base64(mode));
}

/// What the program said of the run; null if it is not known, e.g. for a recording from a file.
std::string describeVerdict(const RunSummary* summary) {
  if (!summary) return "null";
  return fmt::format("{{\"status\":\"{}\",\"failed_steps\":{},\"by_floor\":{},\"missing\":{}}}",
                     runStatusName(summary->status), summary->failed_steps, summary->accepted_by_floor,
                     quote(summary->missing_contact));
}

using RowValue = std::function<double(int)>;
struct Curve {
  const char* name;
  RowValue value;
};

std::vector<Curve> listCurves(const Recording& r) {
  return {{"kinetic", [&](int i) { return r.energy[2 * i]; }},
          {"potential", [&](int i) { return r.energy[2 * i + 1]; }},
          {"total", [&](int i) { return r.energy[2 * i] + r.energy[2 * i + 1]; }},
          {"law", [&](int i) { return r.residual[3 * i]; }},
          {"equation", [&](int i) { return r.residual[3 * i + 1]; }},
          {"step", [&](int i) { return r.residual[3 * i + 2]; }},
          {"penetration", [&](int i) { return r.penetration[i]; }},
          {"iterations", [&](int i) { return double(r.iterations[i]); }}};
}

// Largest value of all rows; not finite as soon as one row is not.
double findWorst(int rows, const RowValue& value) {
  double worst = 0.0;
  for (int row = 0; row < rows; ++row) {
    if (!std::isfinite(value(row))) return value(row);
    worst = std::max(worst, value(row));
  }
  return worst;
}

}  // namespace

std::vector<int> chooseFrames(const Recording& recording, int bodies) {
  const int rows = recording.steps();
  const double seconds = rows > 1 ? recording.time.back() - recording.time.front() : 0.0;
  const double most =
      std::min(std::floor(seconds * kFramesPerSecond), std::floor(kMaxPoses / std::max(1.0, 1.0 * bodies)));
  const int stride = std::max(1, static_cast<int>(std::ceil((rows - 1) / std::max(1.0, most))));
  std::vector<int> frames;
  for (int row = 0; row < rows; row += stride) frames.push_back(row);
  if (frames.back() != rows - 1) frames.push_back(rows - 1);
  return frames;
}

std::vector<double> makeCurve(int rows, int buckets, const std::function<double(int)>& value) {
  std::vector<double> curve;
  if (rows <= 2 * buckets) {
    for (int row = 0; row < rows; ++row) curve.push_back(value(row));
    return curve;
  }
  const auto height = [&](int row) { return std::isfinite(value(row)) ? value(row) : INFINITY; };
  for (std::int64_t bucket = 0; bucket < buckets; ++bucket) {
    const int first = static_cast<int>(bucket * rows / buckets), end = static_cast<int>((bucket + 1) * rows / buckets);
    int lowest = first, highest = first;
    for (int row = first; row < end; ++row) {
      if (height(row) < height(lowest)) lowest = row;
      if (height(row) > height(highest)) highest = row;
    }
    curve.push_back(value(std::min(lowest, highest)));
    curve.push_back(value(std::max(lowest, highest)));
  }
  return curve;
}

std::vector<double> makeCurveTimes(const std::vector<double>& time, int buckets) {
  const auto rows = static_cast<std::int64_t>(time.size());
  if (rows <= 2 * buckets) return time;
  std::vector<double> out;
  for (std::int64_t bucket = 0; bucket < buckets; ++bucket) {
    out.push_back(time[bucket * rows / buckets]);
    out.push_back(time[(bucket + 1) * rows / buckets - 1]);
  }
  return out;
}

std::string makePageData(const Scene& scene, const Recording& recording, const RunSummary* summary) {
  check(scene, recording);
  const Model& model = scene.model;
  const int rows = recording.steps();
  const double seconds = recording.time.back() - recording.time.front() + stepLength(scene, recording, rows - 1);

  std::string plots = fmt::format("{{\"time\":{}", base64(makeCurveTimes(recording.time, kBuckets)));
  std::string worst = "{";
  for (const Curve& curve : listCurves(recording)) {
    plots += fmt::format(",\"{}\":{}", curve.name, base64(makeCurve(rows, kBuckets, curve.value)));
    worst += fmt::format("{}\"{}\":{}", worst.size() > 1 ? "," : "", curve.name, number(findWorst(rows, curve.value)));
  }
  return fmt::format(
      "{{\"version\":1,\"name\":{},\"dt\":{},\"steps\":{},\"seconds\":{},\"mass\":{},\"gravity\":{},\"limit\":{},"
      "\"verdict\":{},\"worst\":{}}},\n\"bodies\":{},\n\"shapes\":{},\n\"frames\":{},\n\"plots\":{}}}}}",
      quote(scene.name.empty() ? model.name() : scene.name), number(scene.dt), rows, number(seconds),
      number(model.mass()), list(model.gravity()), number(summary ? summary->tolerance : kLimit),
      describeVerdict(summary), worst, describeBodies(model), describeShapes(model), describeFrames(scene, recording),
      plots);
}

}  // namespace rigor
