#include "rigor/recording.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "files.h"
#include "rigor/io.h"

namespace rigor {
namespace {

class RecordingFile : public testing::Test {
 protected:
  StepReport makeReport(int index) {
    std::normal_distribution<double> normal;
    const auto draw = [&] { return normal(random_); };
    StepReport report;
    report.time = 1e-3 * index;
    report.velocity = Eigen::VectorXd::NullaryExpr(scene_.model.nv(), draw);
    report.tau = Eigen::VectorXd::NullaryExpr(scene_.model.nv(), draw);
    report.kinetic = draw(), report.potential = draw();
    report.momentum = Eigen::Matrix<double, 6, 1>::NullaryExpr(draw);
    report.law = 1e-14, report.equation = 2e-15, report.step = 3e-13;
    report.penetration = 1e-12;
    report.iterations = index % 7, report.passes = 1 + index % 2;
    const int nq = scene_.model.nq(), nv = scene_.model.nv(), substeps = 1 + index % 2;
    StepRecord& record = report.record;
    record.fresh = index == 0;
    record.input_tau = Eigen::VectorXd::NullaryExpr(nv, draw);
    record.ctrl = Eigen::VectorXd::NullaryExpr(12, draw);
    record.wrenches.assign(index % 2,
                           {3, Eigen::Vector3d::NullaryExpr(draw), Eigen::Vector3d::NullaryExpr(draw), false});
    for (int i = 0; i < substeps * nq; ++i) record.q.push_back(draw());
    for (auto* array : {&record.v, &record.v_mean, &record.v_end})
      for (int i = 0; i < substeps * nv; ++i) array->push_back(draw());
    for (int i = 0; i < index % 5; ++i) {
      Contact& contact = record.contacts.emplace_back();
      contact.id = {0xfedcba9876543210u, 0xffffffffffffff00u + i};
      contact.body_1 = -1, contact.body_2 = 4;
      contact.point = contact.normal = contact.impulse = Eigen::Vector3d::NullaryExpr(draw);
      contact.gap = draw(), contact.gap_end = draw();
      contact.mode = static_cast<ContactMode>(i % 3);
    }
    for (int i = 0; i < index % 3; ++i)
      record.rows.push_back({{0x4000000000000000u, static_cast<std::uint64_t>(i)}, {draw(), draw(), draw()}});
    for (int i = 0; i < substeps; ++i) {
      const bool last = i + 1 == substeps;
      record.kick.push_back(1e-3);
      record.substeps.push_back({1e-3 / substeps, 0.5, i == 1, last ? static_cast<int>(record.contacts.size()) : 0,
                                 last ? static_cast<int>(record.rows.size()) : 0});
    }
    return report;
  }
  Recording record(int steps) {
    Recording recording = makeRecording(scene_);
    for (int i = 0; i < steps; ++i) recording.append(scene_.q, makeReport(i));
    Simulator simulator(scene_);
    recording.finish(simulator);
    return recording;
  }

  const Scene scene_ = loadScene(scenePath("anymal_stand.toml"));
  std::mt19937_64 random_{1};
};

TEST_F(RecordingFile, GivesBackTheSameBits) {
  const TemporaryFolder folder;
  const Recording a = record(30);
  saveRecording(folder("a.npz"), a);
  const Recording b = loadRecording(folder("a.npz"));
  EXPECT_EQ(b.header, a.header);
  EXPECT_EQ(b.nq, 19);
  EXPECT_EQ(b.nv, 18);
  EXPECT_EQ(b.steps(), 30);
  EXPECT_TRUE(a.time == b.time && a.q == b.q && a.v == b.v && a.tau == b.tau && a.energy == b.energy);
  EXPECT_TRUE(a.momentum == b.momentum && a.residual == b.residual && a.penetration == b.penetration);
  EXPECT_TRUE(a.iterations == b.iterations && a.passes == b.passes && a.contact_start == b.contact_start);
  EXPECT_TRUE(a.contact_id == b.contact_id && a.contact_body == b.contact_body && a.contact_gap == b.contact_gap);
  EXPECT_TRUE(a.contact_point == b.contact_point && a.contact_normal == b.contact_normal);
  EXPECT_TRUE(a.contact_impulse == b.contact_impulse && a.contact_mode == b.contact_mode);
  EXPECT_TRUE(a.input_tau == b.input_tau && a.fresh == b.fresh && a.wrench == b.wrench);
  EXPECT_EQ(b.nu, 12);
  EXPECT_EQ(a.ctrl, b.ctrl);
  EXPECT_TRUE(a.wrench_start == b.wrench_start && a.wrench_body == b.wrench_body);
  EXPECT_TRUE(a.substep_start == b.substep_start && a.substep_h == b.substep_h && a.substep_kick == b.substep_kick);
  EXPECT_TRUE(a.substep_theta == b.substep_theta && a.substep_smooth == b.substep_smooth && a.substep_q == b.substep_q);
  EXPECT_TRUE(a.substep_v == b.substep_v && a.substep_v_mean == b.substep_v_mean);
  EXPECT_TRUE(a.substep_v_end == b.substep_v_end && a.contact_gap_end == b.contact_gap_end);
  EXPECT_TRUE(a.row_start == b.row_start && a.row_id == b.row_id && a.row_impulse == b.row_impulse);
  EXPECT_EQ(b.version, 8);
  EXPECT_EQ(b.dt, 1e-3);
  EXPECT_EQ(a.contact_start.back(), 60);  // 0 + 1 + 2 + 3 + 4 contacts, six times
}

TEST_F(RecordingFile, TellsInItsHeaderWhichShapesMayTouchAndNoOthers) {
  const auto header = nlohmann::json::parse(makeRecording(scene_).header);
  std::set<std::pair<int, int>> told, expected;
  for (const auto& item : header["model"]["pairs"])
    for (int b = item[1].get<int>(); b <= item.back().get<int>(); ++b) told.insert({item[0].get<int>(), b});
  for (const auto& [a, b] : scene_.model.collisionPairs()) expected.insert(std::minmax(a, b));
  EXPECT_EQ(told, expected);
  EXPECT_LT(header["model"]["pairs"].size(), expected.size());  // runs of neighbouring shapes are one entry
}

TEST_F(RecordingFile, TimesAreMultiplesOfTheStepAndNoSums) {
  Recording recording = makeRecording(scene_);
  StepReport report = makeReport(0);
  report.time = 0.0;
  for (int i = 0; i < 2000; ++i) {
    recording.append(scene_.q, report);
    report.time += 1e-3;  // drifts
  }
  for (int i = 0; i < 2000; ++i) EXPECT_EQ(recording.time[i], i * 1e-3);
  EXPECT_NE(report.time, 2.0);
  recording = makeRecording(scene_);
  report.time = 0.7 + 1e-13;  // resumed after a sum of steps
  for (int i = 0; i < 3; ++i) recording.append(scene_.q, report);
  EXPECT_EQ(recording.time[2], 702 * 1e-3);
  recording = makeRecording(scene_);
  report.time = 0.7005;  // resumed after steps of another length
  for (int i = 0; i < 3; ++i) recording.append(scene_.q, report);
  EXPECT_EQ(recording.time[2], 0.7005 + 2e-3);
}

TEST_F(RecordingFile, ForcesFromOutsideTakeNoRoomWhereThereAreNone) {
  const TemporaryFolder folder;
  Recording recording = record(4);
  std::fill(recording.input_tau.begin(), recording.input_tau.end(), 0.0);
  recording.wrench.clear(), recording.wrench_body.clear();
  recording.wrench_start.assign(5, 0);
  saveRecording(folder("a.npz"), recording);
  const std::string bytes = readText(folder("a.npz"));
  EXPECT_EQ(bytes.find("input_tau.npy"), std::string::npos);
  EXPECT_EQ(bytes.find("wrench.npy"), std::string::npos);
  const Recording back = loadRecording(folder("a.npz"));
  EXPECT_EQ(back.input_tau, recording.input_tau);
  EXPECT_EQ(back.wrench_start, recording.wrench_start);
}

TEST_F(RecordingFile, EmptyRecordingsCanBeSavedAndLoaded) {
  const TemporaryFolder folder;
  saveRecording(folder("a.npz"), makeRecording(scene_));
  EXPECT_EQ(loadRecording(folder("a.npz")).steps(), 0);
  EXPECT_EQ(loadRecording(folder("a.npz")).nq, 19);
}

TEST_F(RecordingFile, HeaderTellsSceneOptionsBodiesAndShapes) {
  const auto header = nlohmann::json::parse(makeRecording(scene_).header);
  EXPECT_EQ(header["version"], 8);
  EXPECT_EQ(header["names"]["bodies"][0], "base");
  EXPECT_EQ(header["names"]["q"].size(), 19u);
  EXPECT_EQ(header["names"]["v"][6], "LF_HAA");
  EXPECT_EQ(header["scene"], "anymal_stand");
  EXPECT_EQ(header["hash"].get<std::string>().size(), 16u);
  EXPECT_EQ(header["options"]["dt"], 1e-3);
  EXPECT_EQ(header["drives"]["holds"][0]["kp"], 40.0);
  EXPECT_EQ(header["model"]["bodies"].size(), 17u);
  EXPECT_EQ(header["model"]["bodies"][1]["joints"][0]["range"][0], -9.42);
  EXPECT_EQ(header["model"]["shapes"][0]["name"], "torso");
  EXPECT_EQ(header["model"]["shapes"][0]["kind"], "box");
  EXPECT_EQ(header["model"]["shapes"][0]["frame"]["position"][2], 0.08);
  EXPECT_TRUE(header["model"]["bodies"][0]["joints"][0]["effort"].is_null());  // no limit
}

TEST_F(RecordingFile, NanAndInfinityAreNeverWritten) {
  const TemporaryFolder folder;
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()})
    for (const char* name : {"a.npz", "a.csv"}) {
      Recording recording = record(3);
      recording.v[20] = bad;
      EXPECT_TRUE(contains(expectError([&] { saveRecording(folder(name), recording); }).what(), "v: ")) << name;
      recording = record(3);
      recording.contact_gap[1] = bad;
      EXPECT_THROW(saveRecording(folder("a.npz"), recording), Error);
    }
  EXPECT_EQ(folder.count(), 0);
}

TEST_F(RecordingFile, CsvHasOneLinePerNodeAndNumbersThatReadBack) {
  const TemporaryFolder folder;
  const Recording recording = record(12);
  saveRecording(folder("a.csv"), recording);
  std::istringstream lines(readText(folder("a.csv")));
  std::string line;
  std::getline(lines, line);
  const auto columns = std::count(line.begin(), line.end(), ',') + 1;
  EXPECT_EQ(columns, 1 + 19 + 18 + 18 + 2 + 6 + 3 + 1 + 3);
  EXPECT_TRUE(contains(line, "time,q_root_joint.0,")) << line;
  for (const char* name : {",q_LF_HAA,", ",v_root_joint.5,", ",tau_RH_KFE,"}) EXPECT_TRUE(contains(line, name)) << name;
  int rows = 0;
  for (; std::getline(lines, line); ++rows) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ',') + 1, columns);
    const std::string first_v = line.substr([&] {
      std::size_t at = 0;
      for (int i = 0; i < 20; ++i) at = line.find(',', at) + 1;
      return at;
    }());
    EXPECT_EQ(std::strtod(first_v.c_str(), nullptr), recording.v[static_cast<std::size_t>(rows) * 18]);
    EXPECT_EQ(contains(line, ",,"), rows == 12) << "only the end node has no step";
  }
  EXPECT_EQ(rows, 13);
  EXPECT_THROW(loadRecording(folder("a.csv")), Error);
}

// One ball bounces within the first step and is up again at its end; the other two lie on the ground.
TEST_F(RecordingFile, CsvCountsTheContactsThatAreClosedWhereAStepEnds) {
  const TemporaryFolder folder;
  const std::string ball = "[[body]]\nmass = 1\nshape = {sphere = 0.1}\nname = ";
  Simulator simulator(
      loadScene(folder.write("s.toml", "[simulation]\ntime = 0.003\n[ground]\nrestitution = 1\n" + ball +
                                           "'up'\nposition = [0, 0, 0.1007]\nvelocity = [0, 0, -1]\n" + ball +
                                           "'a'\nposition = [1, 0, 0.1]\n" + ball + "'b'\nposition = [2, 0, 0.1]\n")));
  Recorder recorder(simulator.scene());
  ASSERT_EQ(run(simulator, 3, {}, {&recorder}).refused, 0);
  ASSERT_GT(recorder.recording().contactEnd(0) - recorder.recording().contactBegin(0), 2);  // the bounce is among them
  saveRecording(folder("a.csv"), recorder.recording());
  std::istringstream lines(readText(folder("a.csv")));
  std::string line;
  std::getline(lines, line);
  EXPECT_TRUE(line.ends_with(",contacts"));
  for (int step = 0; step < 3; ++step) {
    std::getline(lines, line);
    EXPECT_EQ(line.substr(line.rfind(',')), ",2") << "step " << step;
  }
}

TEST_F(RecordingFile, FullDiskIsAnErrorForEveryFormat) {
  const TemporaryFolder folder;
  for (const std::string& name : {folder("full.npz"), folder("full.csv")}) {
    std::filesystem::create_symlink("/dev/full", name);
    const Error error = expectError([&] { saveRecording(name, record(3)); });
    EXPECT_TRUE(contains(error.what(), name + ": cannot be written")) << error.what();
  }
  EXPECT_TRUE(contains(expectError([&] { saveRecording("a.txt", record(3)); }).problem(), "no known ending"));
}

TEST_F(RecordingFile, TablesThatDoNotFitTogetherAreRefused) {
  const TemporaryFolder folder;
  const auto refused = [&](auto change) {
    Recording recording = record(10);
    change(recording);
    try {
      saveRecording(folder("a.npz"), recording);
      loadRecording(folder("a.npz"));
    } catch (const Error&) {
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refused([](Recording& r) { r.contact_start[3] = 99; }));
  EXPECT_TRUE(refused([](Recording& r) { r.contact_start.back() += 1; }));
  EXPECT_TRUE(refused([](Recording& r) { r.contact_body[0] = 17; }));
  EXPECT_TRUE(refused([](Recording& r) { r.contact_mode[0] = 3; }));
  EXPECT_TRUE(refused([](Recording& r) { r.tau.pop_back(); }));
  EXPECT_TRUE(refused([](Recording& r) { r.substep_start[3] = r.substep_start[4]; }));  // a step without sub-steps
  EXPECT_TRUE(refused([](Recording& r) { r.row_start.back() += 1; }));
  EXPECT_TRUE(refused([](Recording& r) { r.wrench_body[0] = 17; }));
  EXPECT_TRUE(refused([](Recording& r) { r.wrench_start[2] = 5; }));
  EXPECT_TRUE(refused([](Recording& r) { r.fresh[0] = 2; }));
  EXPECT_TRUE(refused([](Recording& r) { r.q.resize(r.q.size() - 19); }));  // no end node
  EXPECT_TRUE(refused([](Recording& r) { r.header = "{}"; }));
  EXPECT_TRUE(refused([](Recording& r) { r.header = "not json"; }));
  EXPECT_FALSE(refused([](Recording&) {}));
}

TEST_F(RecordingFile, WithOtherDrivesThanItsHeaderIsNotWritten) {
  const TemporaryFolder folder;
  Recording recording = record(4);
  recording.nu = 11;
  recording.ctrl.resize(4 * 11);
  EXPECT_TRUE(contains(expectError([&] { saveRecording(folder("a.npz"), recording); }).problem(), "11 drives"));
  EXPECT_EQ(folder.count(), 0);
}

TEST_F(RecordingFile, AHundredThousandStepsWork) {
  const TemporaryFolder folder;
  Recording recording = makeRecording(scene_);
  const StepReport report = makeReport(4);
  for (int i = 0; i < 100'000; ++i) recording.append(scene_.q, report);
  Simulator simulator(scene_);
  recording.finish(simulator);
  saveRecording(folder("long.npz"), recording);
  EXPECT_LT(std::filesystem::file_size(folder("long.npz")),
            200'000'000u);  // 2 kB per step with a sub-step and four contacts
  EXPECT_EQ(loadRecording(folder("long.npz")).contact_impulse, recording.contact_impulse);
}

}  // namespace
}  // namespace rigor
