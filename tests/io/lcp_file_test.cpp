#include <gtest/gtest.h>

#include <limits>

#include "files.h"
#include "io/npz/npz.h"
#include "rigor/io.h"

namespace rigor {
namespace {

Lcp makeLcp() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {.M = {1.0 / 3.0, 2, 3, 4, 5, 6, 7, 8, 9e-30},
          .q = {-1, 0.1, 1e9},
          .free = {2},
          .lo = {-kInfinity, 0.5, 0},
          .hi = {0.25, kInfinity, 0}};
}

TEST(LcpFile, GivesBackTheSameBitsInBothFormats) {
  const TemporaryFolder folder;
  for (const char* name : {"l.json", "l.npz"}) {
    saveLcp(folder(name), makeLcp());
    EXPECT_TRUE(holdsLcp(folder(name))) << name;
    const Lcp again = loadLcp(folder(name));
    EXPECT_EQ(again.M, makeLcp().M) << name;
    EXPECT_EQ(again.q, makeLcp().q) << name;
    EXPECT_EQ(again.free, makeLcp().free) << name;
    EXPECT_EQ(again.lo, makeLcp().lo) << name;
    EXPECT_EQ(again.hi, makeLcp().hi) << name;
  }
}

TEST(LcpFile, IsToldFromAContactProblem) {
  const TemporaryFolder folder;
  const std::string contact =
      folder.write("c.json", R"({"W": [1], "b": [-1], "blocks": [{"kind": "at_least", "M": 1}]})");
  EXPECT_FALSE(holdsLcp(contact));
  EXPECT_THROW(loadLcp(contact), Error);
  EXPECT_FALSE(holdsLcp(folder.write("broken.json", R"({"M": )")));
  EXPECT_THROW(holdsLcp(folder("missing.json")), Error);
}

TEST(LcpFile, AsArraysIsRefusedWithTheKeyThatIsWrong) {
  const TemporaryFolder folder;
  const auto refusal = [&](auto&& write) {
    NpzWriter npz(folder("bad.npz"));
    write(npz);
    npz.commit();
    try {
      loadLcp(folder("bad.npz"));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::vector<double> four = {1, 0, 0, 1}, two = {1, 1};
  EXPECT_NE(refusal([&](NpzWriter& npz) { npz.add("M", four, 4), npz.add("q", two); }).find("M: has 1 rows"),
            std::string::npos);
  EXPECT_NE(refusal([&](NpzWriter& npz) { npz.add("M", four, 2); }).find("q: is missing"), std::string::npos);
  EXPECT_NE(refusal([&](NpzWriter& npz) {
              npz.add("M", four, 2), npz.add("q", two), npz.add("mu", two);
            }).find("mu: is not known"),
            std::string::npos);
  const std::vector<double> nan = {0, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_NE(refusal([&](NpzWriter& npz) {
              npz.add("M", four, 2), npz.add("q", two), npz.addBounds("lo", nan);
            }).find("\"lo\""),
            std::string::npos);
}

TEST(LcpFile, IsNotWrittenWhereItIsNoProblem) {
  const TemporaryFolder folder;
  Lcp lcp = makeLcp();
  lcp.q[1] = std::numeric_limits<double>::quiet_NaN();
  for (const char* name : {"l.json", "l.npz"}) EXPECT_THROW(saveLcp(folder(name), lcp), Error) << name;
  EXPECT_THROW(saveLcp(folder("l.txt"), makeLcp()), Error);
  EXPECT_EQ(folder.count(), 0);
}

}  // namespace
}  // namespace rigor
