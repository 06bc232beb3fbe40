// Files with random damage: a reader may refuse them or, where the damage is harmless, accept them. Nothing else: no
// crash, no foreign exception, no hang. Seeds are fixed; a failure names its round.
#include <gtest/gtest.h>

#include "damage.h"
#include "rigor/io.h"
#include "rigor/recording.h"
#include "rigor/verify.h"

namespace rigor {
namespace {

TEST(DamagedFile, UrdfIsReadOrRefused) {
  const TemporaryFolder folder;
  expectErrorOrSuccess(readText(scenePath("anymal.urdf")), "a.urdf", 2000, folder,
                       [](const std::string& file) { loadModel(file); });
}

TEST(DamagedFile, SceneIsReadOrRefused) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(scenePath("anymal.urdf"), folder("anymal.urdf"));
  const std::string text =
      readText(scenePath("anymal_drop.toml")) +
      "[[controller]]\nkind = 'hold'\nkp = 40\nkd = 1\n[[material]]\npair = ['ground', 'default']\n"
      "[[wrench]]\nbody = 'base'\nforce = [1, 2, 3]\n"
      "[[body]]\nshape = {box = [1, 2, 3]}\nmass = 1\nposition = [5, 0, 9]\n";
  expectErrorOrSuccess(text, "s.toml", 1000, folder, [](const std::string& file) { loadScene(file); });
}

TEST(DamagedFile, RecordingIsReadOrRefused) {
  const TemporaryFolder folder;
  const Scene scene = loadScene(scenePath("cube_drop.toml"));
  Recording recording = makeRecording(scene);
  StepReport report;
  report.velocity = report.tau = Eigen::VectorXd::Ones(6);
  report.record.substeps.resize(1);
  report.record.kick.assign(1, 1.0);
  report.record.q.assign(7, 1.0);
  for (auto* array : {&report.record.v, &report.record.v_mean, &report.record.v_end}) array->assign(6, 1.0);
  report.record.input_tau = report.tau;
  report.record.rows.resize(1);
  report.record.substeps[0].row_end = 1;
  report.record.wrenches.push_back({0, Eigen::Vector3d::Ones(), Eigen::Vector3d::Ones()});
  report.record.contacts.resize(2);
  report.record.substeps[0].contact_end = 2;
  for (Contact& contact : report.record.contacts)
    contact.point = contact.normal = contact.impulse = Eigen::Vector3d::Ones();
  recording.append(scene.q, report);
  Simulator simulator(scene);
  recording.finish(simulator);
  saveRecording(folder("r.npz"), recording);
  expectErrorOrSuccess(readText(folder("r.npz")), "d.npz", 3000, folder,
                       [](const std::string& file) { verifyRecording(loadRecording(file)); });
}

TEST(DamagedFile, ProblemsAndSnapshotsAreReadOrRefused) {
  const TemporaryFolder folder;
  ContactProblem problem;
  problem.blocks = {{BlockKind::kContact, 0, 3, 0.5, 0, 0, 1}, {BlockKind::kBox, 3, 1, 0, -1, 1, 2}};
  problem.W = std::vector<double>(16, 0.5);
  problem.b = problem.bias = problem.compliance = {1, 2, 3, 4};
  saveProblem(folder("p.json"), problem);
  saveProblem(folder("p.npz"), problem);
  expectErrorOrSuccess(readText(folder("p.json")), "d.json", 3000, folder,
                       [](const std::string& file) { loadProblem(file); });
  expectErrorOrSuccess(readText(folder("p.npz")), "d.npz", 3000, folder,
                       [](const std::string& file) { loadProblem(file); });
  const Scene scene = loadScene(scenePath("cube_drop.toml"));
  Snapshot snapshot;
  snapshot.state = {0.0, scene.q, scene.v};
  snapshot.memory = makeMemory(1, scene.model.nv());
  saveSnapshot(folder("s.npz"), scene, snapshot);
  expectErrorOrSuccess(readText(folder("s.npz")), "ds.npz", 3000, folder,
                       [&](const std::string& file) { loadSnapshot(file, scene); });
}

}  // namespace
}  // namespace rigor
