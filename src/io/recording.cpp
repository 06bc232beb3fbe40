#include "rigor/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <new>

#include "io/file.h"
#include "io/header.h"
#include "io/recording_npz.h"
#include "model/topology.h"

namespace rigor {
namespace {

/// Names of joints may hold anything.
std::string csvCell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

constexpr double kClosed = 1e-8;  // [m] gaps up to this are closed, as in the search of a step

/// Whether a sub-step and the one after it are of the same part of the world: parts go through a step one after the other.
bool goesOn(const Recording& r, std::int64_t s) {
  for (int tree = 0; tree < r.kick_columns; ++tree)
    if ((r.substep_kick[s * r.kick_columns + tree] < 0.0) != (r.substep_kick[(s + 1) * r.kick_columns + tree] < 0.0))
      return false;
  return true;
}

/// Contacts that are closed where the step ends: those of the last sub-step of every part of the world.
std::int64_t closedAtEnd(const Recording& r, int step) {
  if (r.version == 1) return r.contactEnd(step) - r.contactBegin(step);  // all that is known
  std::int64_t closed = 0;
  for (std::int64_t s = r.substep_start[step]; s < r.substep_start[step + 1]; ++s) {
    if (s + 1 < r.substep_start[step + 1] && goesOn(r, s)) continue;
    const auto gap = r.contact_gap_end.begin();
    closed +=
        std::count_if(gap + r.contact_start[s], gap + r.contact_start[s + 1], [](double x) { return x <= kClosed; });
  }
  return closed;
}

// One line per node, with the step that begins there; the end node has none, and its cells of a step are empty. Contacts
// only by their number, everything else is in the .npz.
void saveCsv(const std::string& file, const Recording& r) {
  FileWriter out(file);
  std::string text = "time";
  const HeaderFacts facts = parseHeader(r.header, kRecordingFormat, kRecordingVersion, file);
  const auto name = [&](const char* column, int count, const std::vector<std::string>& names) {
    for (int i = 0; i < count; ++i)
      text += "," + csvCell(fmt::format("{}_{}", column, std::ssize(names) == count ? names[i] : std::to_string(i)));
  };
  name("q", r.nq, facts.q_names), name("v", r.nv, facts.v_names), name("tau", r.nv, facts.v_names);
  text += ",kinetic,potential,px,py,pz,lx,ly,lz,law,equation,step,penetration,iterations,passes,contacts\n";
  const auto put = [&](const std::vector<double>& values, int row, int width) {
    for (int i = 0; i < width; ++i) text += fmt::format(",{}", values[static_cast<std::size_t>(row) * width + i]);
  };
  const int nodes = static_cast<int>(r.time.size());  // version 1 has no end node
  for (int row = 0; row < nodes; ++row) {
    const bool has_step = row < r.steps();
    text += fmt::format("{}", r.time[row]);
    put(r.q, row, r.nq), put(r.v, row, r.nv);
    if (has_step)
      put(r.tau, row, r.nv);
    else
      text.append(r.nv, ',');
    put(r.energy, row, 2), put(r.momentum, row, 6);
    if (has_step) {
      put(r.residual, row, 3), put(r.penetration, row, 1);
      text += fmt::format(",{},{},{}\n", r.iterations[row], r.passes[row], closedAtEnd(r, row));
    } else {
      text += ",,,,,,,\n";
    }
    if (text.size() > (std::size_t{1} << 20)) {
      out.write(text);
      text.clear();
    }
  }
  out.write(text);
  out.commit();
}

template <class Row>
void add(std::vector<double>& values, const Row& row) {
  values.insert(values.end(), row.begin(), row.end());
}

/// Nodes lie at whole multiples of dt where the first one does, else at its time plus such multiples: no sum of steps.
double nodeTime(const std::vector<double>& time, double now, double dt) {
  if (time.empty() || !(dt > 0.0)) return now;
  const double first = std::round(time[0] / dt), k = static_cast<double>(time.size());
  return time[0] == first * dt ? (first + k) * dt : time[0] + k * dt;
}

double firstTime(double now, double dt) {
  const double multiple = std::round(now / dt);
  return dt > 0.0 && std::fabs(now - multiple * dt) < 1e-6 * dt ? multiple * dt : now;
}

void appendContacts(const std::vector<Contact>& contacts, Recording& r) {
  for (const Contact& contact : contacts) {
    r.contact_id.push_back(contact.id);
    r.contact_body.insert(r.contact_body.end(), {contact.body_1, contact.body_2});
    add(r.contact_point, contact.point);
    add(r.contact_normal, contact.normal);
    r.contact_gap.push_back(contact.gap);
    r.contact_gap_end.push_back(contact.gap_end);
    add(r.contact_impulse, contact.impulse);
    if (r.torque_columns > 0) add(r.contact_torque, contact.torque);
    r.contact_mode.push_back(static_cast<std::uint8_t>(contact.mode));
  }
}

void appendOwn(const StepRecord& record, Recording& r) {
  const std::int64_t first = static_cast<std::int64_t>(r.substep_h.size());
  for (const OwnImpulse& own : record.own) {
    r.own_place.insert(r.own_place.end(), {first + own.substep, own.term, own.body});
    add(r.own_impulse, own.impulse);
    add(r.own_impulse, own.angular);
  }
}

void appendSubsteps(const StepRecord& record, Recording& r) {
  appendOwn(record, r);
  const std::int64_t contacts = static_cast<std::int64_t>(r.contact_id.size());
  const std::int64_t rows = static_cast<std::int64_t>(r.row_id.size());
  for (const Substep& substep : record.substeps) {
    r.substep_h.push_back(substep.h);
    r.substep_theta.push_back(substep.theta);
    r.substep_smooth.push_back(substep.smooth);
    r.contact_start.push_back(contacts + substep.contact_end);
    r.row_start.push_back(rows + substep.row_end);
  }
  add(r.substep_kick, record.kick);
  add(r.substep_q, record.q);
  add(r.substep_v, record.v);
  add(r.substep_v_mean, record.v_mean);
  add(r.substep_v_end, record.v_end);
  r.substep_start.push_back(static_cast<std::int64_t>(r.substep_h.size()));
  appendContacts(record.contacts, r);
  for (const RowImpulse& row : record.rows) {
    r.row_id.push_back(row.id);
    r.row_impulse.insert(r.row_impulse.end(), row.impulse, row.impulse + 3);
  }
}

void appendWrenches(const std::vector<Input::Wrench>& wrenches, Recording& r) {
  for (const Input::Wrench& wrench : wrenches) {
    r.wrench_body.insert(r.wrench_body.end(), {wrench.body, wrench.in_world ? 0 : 1});
    add(r.wrench, wrench.force);
    add(r.wrench, wrench.torque);
  }
  r.wrench_start.push_back(static_cast<std::int64_t>(r.wrench_body.size() / 2));
}

}  // namespace

void Recording::append(const Eigen::VectorXd& q_start, const StepReport& report) {
  assert(report.accepted() && "a refused step has no velocity, torque or contacts to record");
  assert(time.size() == passes.size() && "nothing is appended after the last node");
  assert(q_start.size() == nq && report.velocity.size() == nv && report.tau.size() == nv && "the model of the scene");
  assert(report.record.ctrl.size() == nu && "one target per drive of the scene");
  time.push_back(time.empty() ? firstTime(report.time, dt) : nodeTime(time, report.time, dt));
  add(q, q_start);
  add(v, report.velocity);
  energy.insert(energy.end(), {report.kinetic, report.potential});
  add(momentum, report.momentum);
  add(tau, report.tau);
  add(input_tau, report.record.input_tau);
  add(ctrl, report.record.ctrl);
  residual.insert(residual.end(), {report.law, report.equation, report.step});
  penetration.push_back(report.penetration);
  iterations.push_back(report.iterations);
  passes.push_back(report.passes);
  fresh.push_back(report.record.fresh);
  appendWrenches(report.record.wrenches, *this);
  appendSubsteps(report.record, *this);
}

void Recording::finish(Simulator& simulator) {
  assert(time.size() == passes.size() && "a recording ends once");
  const State& state = simulator.state();
  const StepReport& node = simulator.node();
  time.push_back(time.empty() ? firstTime(state.time, dt) : nodeTime(time, state.time, dt));
  add(q, state.q);
  add(v, node.velocity);
  energy.insert(energy.end(), {node.kinetic, node.potential});
  add(momentum, node.momentum);
}

void Recorder::see(const Simulator& /*simulator*/, const RunStep& step) {
  if (step.report.accepted()) recording_.append(step.q_start, step.report);
}

void Recorder::end(Simulator& simulator, const RunOutcome& /*outcome*/) { recording_.finish(simulator); }

Recording makeRecording(const Scene& scene) {
  Recording recording;
  recording.header = makeHeader(scene, kRecordingFormat, kRecordingVersion);
  recording.nq = scene.model.nq();
  recording.nv = scene.model.nv();
  recording.nu = static_cast<int>(listDrives(scene).size());
  const std::vector<MaterialPair>& materials = scene.model.materials();
  const bool turning = std::any_of(materials.begin(), materials.end(),
                                   [](const MaterialPair& pair) { return pair.torsion > 0.0 || pair.rolling > 0.0; });
  recording.torque_columns = turning ? 3 : 0;
  recording.kick_columns = scene.model.topology().trees;
  recording.dt = scene.dt;
  recording.contact_start = recording.row_start = recording.substep_start = recording.wrench_start = {0};
  return recording;
}

void saveRecording(const std::string& file, const Recording& recording) {
  const bool csv = endsWith(file, ".csv");
  if (!csv && endsWith(file, ".html"))
    throw Error({file, 0, ""}, "a page needs the scene too", "Call savePage, or write .npz or .csv.");
  if (!csv && !endsWith(file, ".npz"))
    throw Error({file, 0, ""}, "has no known ending", "Recordings are written as .npz or .csv.");
  checkRecording(file, recording);
  if (csv)
    saveCsv(file, recording);
  else
    saveRecordingNpz(file, recording);
}

Recording loadRecording(const std::string& file) {
  if (endsWith(file, ".csv"))
    throw Error({file, 0, ""}, "tables cannot be read back as a recording", "Write the recording as .npz.");
  try {
    return loadRecordingNpz(file);
  } catch (const std::bad_alloc&) {
    throw Error({file, 0, ""}, "is larger than the memory that is left", "Record fewer steps or several shorter runs.");
  }
}

}  // namespace rigor
