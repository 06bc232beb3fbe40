#include "io/mesh/child_process.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "files.h"
#include "io/mesh/part_bytes.h"

namespace rigor {
namespace {

TEST(ChildProcess, GivesWhatTheWorkReturned) {
  const std::string large(3 << 20, 'x');
  EXPECT_EQ(runInChild([&] { return large; }, "f"), large);
  EXPECT_EQ(runInChild([] { return std::string(); }, "f"), "");
}

TEST(ChildProcess, GivesNothingIfItCrashed) {
  EXPECT_FALSE(runInChild([]() -> std::string { return ::raise(SIGKILL), ""; }, "f"));
  EXPECT_FALSE(runInChild([]() -> std::string { throw 1; }, "f"));
  EXPECT_FALSE(runInChild([]() -> std::string { ::_exit(3); }, "f"));
}

TEST(ChildProcess, PassesAnErrorOn) {
  const Error error =
      expectError([] { runInChild([]() -> std::string { throw Error({"", 0, "part"}, "bad", "mend"); }, "mesh.dae"); });
  EXPECT_EQ(error.where().file, "mesh.dae");
  EXPECT_EQ(error.problem(), "part: bad");
  EXPECT_EQ(error.remedy(), "mend");
}

TEST(PartBytes, GiveTheSamePartsAgainAndRefuseOthers) {
  std::vector<MeshPart> parts(2);
  parts[0] = {"one", {"", {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, {{0, 1, 2}}}, Eigen::Vector4d(0.1, 0.2, 0.3, 0.4)};
  const std::string bytes = packParts(parts);
  const auto again = unpackParts(bytes);
  ASSERT_TRUE(again);
  ASSERT_EQ(again->size(), 2u);
  EXPECT_EQ((*again)[0].name, "one");
  EXPECT_EQ((*again)[0].mesh.vertices, parts[0].mesh.vertices);
  EXPECT_EQ((*again)[0].mesh.triangles, parts[0].mesh.triangles);
  EXPECT_EQ((*again)[0].rgba, parts[0].rgba);
  EXPECT_FALSE((*again)[1].rgba);
  for (std::size_t cut = 1; cut + 32 < bytes.size(); cut += 5) EXPECT_FALSE(unpackParts(bytes.substr(0, cut))) << cut;
  parts[0].mesh.triangles[0][1] = 3;
  EXPECT_FALSE(unpackParts(packParts(parts)));
}

}  // namespace
}  // namespace rigor
