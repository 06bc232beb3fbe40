#include "rigor/recording.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/file.h"
#include "io/header.h"
#include "io/npz/npz.h"

namespace rigor {
namespace {

constexpr const char* kFormat = "rigor recording";

void append3(std::vector<double>& values, const Eigen::Vector3d& v) { values.insert(values.end(), v.begin(), v.end()); }

void saveNpz(const std::string& file, const Recording& r) {
  NpzWriter npz(file);
  npz.addText("header", r.header);
  npz.add("time", r.time);
  const std::size_t n = r.time.size(), nq = r.nq, nv = r.nv;
  npz.add("q", r.q.data(), {n, nq});
  npz.add("v", r.v.data(), {n, nv});
  npz.add("tau", r.tau.data(), {n, nv});
  npz.add("energy", r.energy, 2);
  npz.add("momentum", r.momentum, 6);
  npz.add("residual", r.residual, 3);
  npz.add("penetration", r.penetration);
  npz.add("iterations", r.iterations);
  npz.add("passes", r.passes);
  npz.add("contact_start", r.contact_start);
  npz.add("contact_id", r.contact_id);
  npz.add("contact_body", r.contact_body, 2);
  npz.add("contact_point", r.contact_point, 3);
  npz.add("contact_normal", r.contact_normal, 3);
  npz.add("contact_gap", r.contact_gap);
  npz.add("contact_impulse", r.contact_impulse, 3);
  npz.add("contact_mode", r.contact_mode);
  npz.commit();
}

// One line per step; contacts only by their number, everything else is in the .npz.
void saveCsv(const std::string& file, const Recording& r) {
  FileWriter out(file);
  std::string text = "time";
  const auto name = [&](const char* column, int count) {
    for (int i = 0; i < count; ++i) text += fmt::format(",{}_{}", column, i);
  };
  name("q", r.nq), name("v", r.nv), name("tau", r.nv);
  text += ",kinetic,potential,px,py,pz,lx,ly,lz,law,equation,step,penetration,iterations,passes,contacts\n";
  const auto put = [&](const std::vector<double>& values, int row, int width) {
    for (int i = 0; i < width; ++i) text += fmt::format(",{}", values[static_cast<std::size_t>(row) * width + i]);
  };
  for (int row = 0; row < r.steps(); ++row) {
    text += fmt::format("{}", r.time[row]);
    put(r.q, row, r.nq), put(r.v, row, r.nv), put(r.tau, row, r.nv);
    put(r.energy, row, 2), put(r.momentum, row, 6), put(r.residual, row, 3), put(r.penetration, row, 1);
    text +=
        fmt::format(",{},{},{}\n", r.iterations[row], r.passes[row], r.contact_start[row + 1] - r.contact_start[row]);
    if (text.size() > (std::size_t{1} << 20)) {
      out.write(text);
      text.clear();
    }
  }
  out.write(text);
  out.commit();
}

// Lengths first: nothing below may read past an array that a caller has filled by hand.
void checkSizes(const std::string& file, const Recording& r) {
  const std::size_t n = r.time.size(), c = r.contact_id.size();
  const bool right = r.nq >= 0 && r.nv >= 0 && r.q.size() == n * r.nq && r.v.size() == n * r.nv &&
                     r.tau.size() == n * r.nv && r.energy.size() == 2 * n && r.momentum.size() == 6 * n &&
                     r.residual.size() == 3 * n && r.penetration.size() == n && r.iterations.size() == n &&
                     r.passes.size() == n && r.contact_start.size() == n + 1 && r.contact_body.size() == 2 * c &&
                     r.contact_point.size() == 3 * c && r.contact_normal.size() == 3 * c && r.contact_gap.size() == c &&
                     r.contact_impulse.size() == 3 * c && r.contact_mode.size() == c;
  if (!right)
    throw Error({file, 0, ""}, "the arrays of the recording have different lengths", "Append whole steps only.");
}

void checkFinite(const std::string& file, const Recording& r) {
  const std::pair<const char*, const std::vector<double>*> arrays[] = {{"time", &r.time},
                                                                       {"q", &r.q},
                                                                       {"v", &r.v},
                                                                       {"tau", &r.tau},
                                                                       {"energy", &r.energy},
                                                                       {"momentum", &r.momentum},
                                                                       {"residual", &r.residual},
                                                                       {"penetration", &r.penetration},
                                                                       {"contact_point", &r.contact_point},
                                                                       {"contact_normal", &r.contact_normal},
                                                                       {"contact_gap", &r.contact_gap},
                                                                       {"contact_impulse", &r.contact_impulse}};
  for (const auto& [name, values] : arrays)
    if (!std::all_of(values->begin(), values->end(), [](double x) { return std::isfinite(x); }))
      throw Error({file, 0, name}, "holds a value that is not finite; nothing was written",
                  "NaN and infinity are never saved: find the step that made them.");
}

void checkContacts(const std::string& file, const Recording& r, int bodies) {
  bool right = r.contact_start.front() == 0 && r.contact_start.back() == static_cast<std::int64_t>(r.contact_id.size());
  right = right && std::is_sorted(r.contact_start.begin(), r.contact_start.end());
  right = right && std::all_of(r.contact_mode.begin(), r.contact_mode.end(), [](int mode) { return mode <= 2; });
  right = right && std::all_of(r.contact_body.begin(), r.contact_body.end(),
                               [&](int body) { return body >= kWorld && body < bodies; });
  if (!right) throw Error({file, 0, "contacts"}, "the tables of contacts do not fit together", "Record the run again.");
}

}  // namespace

void Recording::append(const Eigen::VectorXd& q_start, const StepReport& report) {
  const auto add = [](std::vector<double>& values, const auto& row) {
    values.insert(values.end(), row.begin(), row.end());
  };
  if (contact_start.empty()) contact_start.push_back(0);
  time.push_back(report.time);
  add(q, q_start);
  add(v, report.velocity);
  add(tau, report.tau);
  energy.insert(energy.end(), {report.kinetic, report.potential});
  add(momentum, report.momentum);
  residual.insert(residual.end(), {report.law, report.equation, report.step});
  penetration.push_back(report.penetration);
  iterations.push_back(report.iterations);
  passes.push_back(report.passes);
  for (const Contact& contact : report.contacts) {
    contact_id.push_back(contact.id);
    contact_body.insert(contact_body.end(), {contact.body_1, contact.body_2});
    append3(contact_point, contact.point);
    append3(contact_normal, contact.normal);
    contact_gap.push_back(contact.gap);
    append3(contact_impulse, contact.impulse);
    contact_mode.push_back(static_cast<std::uint8_t>(contact.mode));
  }
  contact_start.push_back(static_cast<std::int64_t>(contact_id.size()));
}

Recording makeRecording(const Scene& scene) {
  Recording recording;
  recording.header = makeHeader(scene, kFormat);
  recording.nq = scene.model.nq();
  recording.nv = scene.model.nv();
  recording.contact_start = {0};
  return recording;
}

void saveRecording(const std::string& file, const Recording& recording) {
  const bool csv = endsWith(file, ".csv");
  if (!csv && endsWith(file, ".html"))
    throw Error({file, 0, ""}, "a page needs the scene too", "Call savePage, or write .npz or .csv.");
  if (!csv && !endsWith(file, ".npz"))
    throw Error({file, 0, ""}, "has no known ending", "Recordings are written as .npz or .csv.");
  checkSizes(file, recording);
  checkFinite(file, recording);
  if (csv)
    saveCsv(file, recording);
  else
    saveNpz(file, recording);
}

Recording loadRecording(const std::string& file) {
  if (endsWith(file, ".csv"))
    throw Error({file, 0, ""}, "tables cannot be read back as a recording", "Write the recording as .npz.");
  const NpzReader npz(file);
  Recording r;
  r.header = npz.readText("header");
  const HeaderFacts facts = parseHeader(r.header, kFormat, file);
  r.time = npz.read<double>("time").values;
  const std::size_t n = r.time.size();
  const auto matrix = [&](const char* name, int& width) {
    Array<double> array = npz.read<double>(name);
    if (array.shape.size() != 2 || array.shape[0] != n || array.shape[1] > 10'000'000)
      throw Error({file, 0, name}, "has the wrong shape", "Record the run again.");
    width = static_cast<int>(array.shape[1]);
    return std::move(array.values);
  };
  r.q = matrix("q", r.nq);
  r.v = matrix("v", r.nv);
  const std::size_t nv = r.nv;
  r.tau = npz.read<double>("tau", {n, nv});
  r.energy = npz.read<double>("energy", {n, 2});
  r.momentum = npz.read<double>("momentum", {n, 6});
  r.residual = npz.read<double>("residual", {n, 3});
  r.penetration = npz.read<double>("penetration", {n});
  r.iterations = npz.read<std::int32_t>("iterations", {n});
  r.passes = npz.read<std::int32_t>("passes", {n});
  r.contact_start = npz.read<std::int64_t>("contact_start", {n + 1});
  r.contact_id = npz.read<std::uint64_t>("contact_id").values;
  const std::size_t c = r.contact_id.size();
  r.contact_body = npz.read<std::int32_t>("contact_body", {c, 2});
  r.contact_point = npz.read<double>("contact_point", {c, 3});
  r.contact_normal = npz.read<double>("contact_normal", {c, 3});
  r.contact_gap = npz.read<double>("contact_gap", {c});
  r.contact_impulse = npz.read<double>("contact_impulse", {c, 3});
  r.contact_mode = npz.read<std::uint8_t>("contact_mode", {c});
  checkContacts(file, r, facts.bodies);
  return r;
}

}  // namespace rigor
