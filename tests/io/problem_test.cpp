#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

#include "files.h"
#include "reference/random_forest.h"
#include "rigor/error.h"
#include "rigor/io.h"

namespace rigor {
namespace {

ContactProblem makeProblem() {
  ContactProblem problem;
  problem.blocks = {{BlockKind::kContact, 0, 3, 0.7, 0.0, 0.0, {0xffffffffffffffffu, 0xfedcba9876543210u}},
                    {BlockKind::kEqual, 3, 2, 0.0, 0.0, 0.0, {0, 5}},
                    {BlockKind::kAtLeast, 5, 1, 0.0, 0.0, 0.0, {0, 6}},
                    {BlockKind::kBox, 6, 1, 0.0, -0.1, 0.3, {0, 7}},
                    {BlockKind::kBox, 7, 1, 0.0, -std::numeric_limits<double>::infinity(), 0.3, {0, 8}}};
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  problem.W.setZero(8);
  for (int i = 0; i < 64; ++i) problem.W(i / 8, i % 8) = i % 9 == 0 ? 4.0 : 0.2 * std::tanh(normal(random));
  for (int i = 0; i < 8; ++i) {
    problem.b.push_back(normal(random) * 1e-7);
    problem.bias.push_back(i == 0 ? -0.0 : normal(random));
    problem.compliance.push_back(i >= 6 ? 1.0 / 3.0 : 0.0);
    problem.row_error.push_back(i * 1e-13 / 3.0);
  }
  problem.velocity_scale = 1e-2 / 3.0;
  return problem;
}

bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

// Two contacts of one ball on the ground and one between it and a hinge, W as factors.
ContactProblem makeFactoredProblem() {
  DelassusFactors factors;
  factors.node_start = {0, 6, 7};
  factors.block_row = {0, 3, 6};
  factors.first_side = {0, 1, 3};
  factors.sides = {{0, 0, 6, 0}, {0, 6, 6, 18}, {1, 12, 1, 36}};
  factors.freedoms = {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6};
  for (int i = 0; i < 39; ++i) factors.A.push_back(std::sin(i + 1.0)), factors.B.push_back(std::sin(i + 1.0) / 3.0);
  ContactProblem problem;
  problem.W = DelassusMatrix(factors);
  problem.blocks = {{.kind = BlockKind::kContact, .row = 0, .mu = 0.5},
                    {.kind = BlockKind::kContact, .row = 3, .mu = 1.0}};
  problem.b = {-1.0, 0.1, 0.2, -0.5, 0.0, 1.0 / 3.0};
  problem.bias.assign(6, 0.0);
  problem.compliance.assign(6, 0.0);
  return problem;
}

TEST(ProblemFile, RoundTripKeepsTheBitsOfFactors) {
  const TemporaryFolder folder;
  const ContactProblem problem = makeFactoredProblem();
  for (const char* name : {"p.json", "p.npz"}) {
    saveProblem(folder(name), problem);
    const ContactProblem read = loadProblem(folder(name));
    ASSERT_TRUE(read.W.isFactored()) << name;
    const DelassusFactors &a = read.W.factors(), &b = problem.W.factors();
    EXPECT_TRUE(sameBits(a.A, b.A) && sameBits(a.B, b.B)) << name;
    EXPECT_TRUE(a.node_start == b.node_start && a.block_row == b.block_row && a.first_side == b.first_side) << name;
    EXPECT_EQ(a.freedoms, b.freedoms) << name;
    EXPECT_TRUE(sameBits(read.W.toDense().entries(), problem.W.toDense().entries())) << name;
  }
}

TEST(ProblemFile, OfLinksOfLongChainsHoldsTheDenseMatrix) {
  const TemporaryFolder folder;
  std::mt19937 random(7);
  const RandomForest forest(8, 5, random);
  ContactProblem problem;
  problem.W = DelassusMatrix(forest.factors);
  const int rows = problem.W.rows();
  for (int block = 0; block < forest.factors.blocks(); ++block)
    for (int row = forest.factors.block_row[block]; row < forest.factors.block_row[block + 1]; ++row)
      problem.blocks.push_back({.kind = BlockKind::kEqual, .row = row, .size = 1});
  for (auto* numbers : {&problem.b, &problem.bias, &problem.compliance}) numbers->assign(rows, 0.0);
  saveProblem(folder("p.npz"), problem);
  const ContactProblem read = loadProblem(folder("p.npz"));
  EXPECT_FALSE(read.W.isFactored());
  EXPECT_TRUE(sameBits(read.W.entries(), problem.W.toDense().entries()));
}

TEST(ProblemFile, FactorsThatLeadNowhereAreRefused) {
  const TemporaryFolder folder;
  saveProblem(folder("p.json"), makeFactoredProblem());
  std::ifstream in(folder("p.json"));
  const std::string good((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const std::pair<std::string, std::string> spoils[] = {
      {"[1,1,[0]]", "[1,2,[0]]"},  // no such node
      {"[1,1,[0]]", "[1,1,[1]]"},  // no such freedom
      {"[1,1,[0]]", "[2,1,[0]]"},  // no such block
      {"[1,1,[0]]", "[1,1]"},     {"\"W_A\":[", "\"W_A\":[1.0,"}, {"\"W_sides\":", "\"W\":[1.0],\"W_sides\":"},
  };
  for (const auto& [from, to] : spoils) {
    std::string bad = good;
    const std::size_t at = bad.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    bad.replace(at, from.size(), to);
    std::ofstream(folder("bad.json")) << bad;
    EXPECT_THROW(loadProblem(folder("bad.json")), Error) << to;
  }
}

TEST(ProblemFile, RoundTripKeepsTheBits) {
  const TemporaryFolder folder;
  const ContactProblem problem = makeProblem();
  for (const char* name : {"p.json", "p.npz"}) {
    saveProblem(folder(name), problem);
    const ContactProblem read = loadProblem(folder(name));
    EXPECT_TRUE(sameBits(read.W.entries(), problem.W.entries())) << name;
    EXPECT_TRUE(sameBits(read.b, problem.b)) << name;
    EXPECT_TRUE(sameBits(read.bias, problem.bias)) << name;
    EXPECT_TRUE(sameBits(read.compliance, problem.compliance)) << name;
    EXPECT_TRUE(sameBits(read.row_error, problem.row_error)) << name;
    EXPECT_EQ(read.velocity_scale, problem.velocity_scale) << name;
    ASSERT_EQ(read.blocks.size(), problem.blocks.size()) << name;
    for (std::size_t i = 0; i < read.blocks.size(); ++i) {
      const Block &a = read.blocks[i], &b = problem.blocks[i];
      EXPECT_TRUE(a.kind == b.kind && a.row == b.row && a.size == b.size && a.mu == b.mu && a.lo == b.lo &&
                  a.hi == b.hi && a.id == b.id)
          << name << " block " << i;
    }
  }
}

TEST(ProblemFile, HasNoScaleAndNoRowErrorsUnlessItSaysSo) {
  const TemporaryFolder folder;
  ContactProblem problem = makeProblem();
  problem.velocity_scale = 0.0;
  problem.row_error.clear();
  for (const char* name : {"p.json", "p.npz"}) {
    saveProblem(folder(name), problem);
    const ContactProblem read = loadProblem(folder(name));
    EXPECT_EQ(read.velocity_scale, 0.0) << name;
    EXPECT_TRUE(read.row_error.empty()) << name;
  }
}

TEST(ProblemFile, SaysItsLawUnlessItIsCoulombs) {
  const TemporaryFolder folder;
  ContactProblem problem = makeProblem();
  for (const Law law : {Law::kCoulomb, Law::kAssociated})
    for (const char* name : {"p.json", "p.npz"}) {
      problem.law = law;
      saveProblem(folder(name), problem);
      EXPECT_EQ(loadProblem(folder(name)).law, law) << name;
    }
  EXPECT_EQ(loadProblem(folder.write("p.json", R"({"W": [1], "b": [1], "blocks": [{"kind": "at_least"}],
      "law": "coulomb"})"))
                .law,
            Law::kCoulomb);
}

TEST(ProblemFile, OfLawPyramidKeepsItsNumberOfCorners) {
  const TemporaryFolder folder;
  ContactProblem problem = makeProblem();
  problem.law = Law::kPyramid;
  for (const int directions : {4, 10, 64})
    for (const char* name : {"p.json", "p.npz"}) {
      problem.directions = directions;
      saveProblem(folder(name), problem);
      const ContactProblem read = loadProblem(folder(name));
      EXPECT_EQ(read.law, Law::kPyramid) << name;
      EXPECT_EQ(read.directions, directions) << name;
    }
}

TEST(ProblemFile, OfLawDissipationIsReadWithoutEqualRows) {
  const TemporaryFolder folder;
  const std::string contact = R"("W": [1, 0, 0, 0, 1, 0, 0, 0, 1], "b": [-1, 0, 0], "law": "dissipation")";
  EXPECT_EQ(loadProblem(folder.write("p.json", "{" + contact + R"(, "mu": [0.5]})")).law, Law::kDissipation);
  EXPECT_THROW(loadProblem(folder.write("q.json", "{" + contact + R"(, "blocks": [{"kind": "equal", "size": 3}]})")),
               Error);
}

TEST(ProblemFile, ThatARunSavedIsReadHoweverFarItsRowsTurned) {
  const TemporaryFolder folder;
  ContactProblem problem = makeProblem();
  problem.W(0, 1) = 3.0;   // against −0.2 … 0.2 in W(1, 0)
  problem.W(0, 0) = -0.1;  // a row that turned by more than 90°
  for (const char* name : {"p.json", "p.npz"}) {
    saveProblem(folder(name), problem);
    EXPECT_TRUE(sameBits(loadProblem(folder(name)).W.entries(), problem.W.entries())) << name;
  }
}

TEST(ProblemFile, IsNotWrittenWhereTheMatrixDoesNotFit) {
  const TemporaryFolder folder;
  ContactProblem problem = makeProblem();
  problem.W.setZero(problem.rows() + 1);
  for (const char* name : {"p.json", "p.npz"}) EXPECT_THROW(saveProblem(folder(name), problem), Error) << name;
  EXPECT_EQ(folder.count(), 0);
}

TEST(ProblemFile, ShortFormMeansContactsOfThreeRows) {
  const TemporaryFolder folder;
  const ContactProblem problem =
      loadProblem(folder.write("p.json",
                               R"({"W_blocks": [[0, 0, [[30,0,0],[0,20,0],[0,0,30]]], [1, 1, [20,0,0,0,20,0,0,0,20]],
          [1, 0, [1,2,3,4,5,6,7,8,9]]], "b": [1,2,3,4,5,6],
          "mu": [0.5, 0.6], "gap_over_h": [0.25, -1]})"));
  ASSERT_EQ(problem.blocks.size(), 2u);
  EXPECT_EQ(problem.blocks[1].kind, BlockKind::kContact);
  EXPECT_EQ(problem.blocks[1].row, 3);
  EXPECT_EQ(problem.blocks[1].mu, 0.6);
  EXPECT_EQ(problem.W(1, 1), 20.0);
  EXPECT_EQ(problem.W(4, 2), 6.0);
  EXPECT_EQ(problem.W(2, 4), 0.0);
  EXPECT_EQ(problem.bias, (std::vector<double>{0.25, 0, 0, 0, 0, 0}));  // a negative gap has no φ⁺
}

TEST(ProblemFile, LcpIsNoContactProblem) {
  const TemporaryFolder folder;
  const Error error = expectError([&] { loadProblem(folder.write("l.json", R"({"M": [[1]], "q": [1]})")); });
  EXPECT_TRUE(contains(error.remedy(), "loadLcp")) << error.what();
}

TEST(ProblemFile, NanIsNeverWritten) {
  const TemporaryFolder folder;
  ContactProblem problem = makeProblem();
  problem.b[3] = std::nan("");
  for (const char* name : {"p.json", "p.npz"}) EXPECT_THROW(saveProblem(folder(name), problem), Error);
  EXPECT_EQ(folder.count(), 0);
}

TEST(ProblemFile, EveryMistakeIsNamed) {
  const std::pair<const char*, const char*> files[] = {
      {"", "broken JSON"},
      {"[1, 2", "broken JSON"},
      {"[1, 2]", "not a JSON object"},
      {R"({"W": []})", "b: is missing"},
      {R"({"W": [1, 2], "b": [1, 2, 3], "mu": [1]})", "W: has 2 values, not 3 × 3"},
      {R"({"W": [1, 2, 3, 4, 5, 6, 7, 8, "9"], "b": [1, 2, 3], "mu": [1]})", "W: is not a finite number"},
      {R"({"W": [1, 2, 3, 4, 5, 6, 7, 8, 1e999], "b": [1, 2, 3], "mu": [1]})", "broken JSON"},
      {R"({"W": [1, 2, 3, 4, 5, 6, 7, 8, 9], "b": [1, 2, 3], "mu": [1, 2]})", "mu: has 2 values for 3 rows"},
      {R"({"W": [1, 2, 3, 4, 5, 6, 7, 8, 9], "b": [1, 2, 3], "mu": [-1]})", "mu is -1"},
      {R"({"W": [1, 2, 3, 4, 5, 6, 7, 8, 9], "b": [1, 2, 3], "mu": [1], "bias": [1]})", "bias: has 1 values, not 3"},
      {R"({"W": [1], "b": [1], "blocks": [{"kind": "cone"}]})", "unknown kind"},
      {R"({"W": [1, 0, 0, 0, 1, 0, 0, 0, 1], "b": [1, 0, 0], "blocks": [{"kind": "contact"}]})", "has no mu"},
      {R"({"W": [1, 0, 0, 0, 1, 0, 0, 0, 1], "b": [1, 0, 0], "blocks": [{"kind": "contact", "mu": 1}], "mu": [0.5]})",
       "blocks are given too"},
      {R"({"W": [1], "b": [1], "blocks": [{"kind": "at_least", "low": 1}]})", "blocks[0].low"},
      {R"({"W": [1], "b": [1], "blocks": [{"kind": "at_least"}], "law": "pyramd"})", "law: unknown law"},
      {R"({"W": [1], "b": [1], "blocks": [{"kind": "at_least"}], "directions": 7})", "directions: is 7"},
      {R"({"W": [1], "b": [1], "blocks": [{"kind": "at_least"}], "directions": 66})", "directions: is 66"},
      {R"({"W": [1], "b": [1], "blocks": [{"kind": "at_least"}], "directions": 4.5})", "directions: is 4.5"},
      {R"({"W": [1], "b": [1], "blocks": [{"kind": "at_least"}], "law": 3})", "law: is not a word"},
      {R"({"W": [1], "b": [1], "blocks": [{"kind": "box", "lo": 2, "hi": 1}]})", "lo is above hi"},
      {R"({"W": [1], "b": [1], "blocks": [{"kind": "at_least", "row": 1}]})", "do not follow"},
      {R"({"W": [1, 2, 3, 4], "b": [1, 2], "blocks": [{"kind": "at_least"}]})", "cover 1 rows, b has 2"},
      {R"({"W": [1], "b": [1], "blocks": [{"kind": "box"}], "compliance": [-1]})", "compliance of row 0: is -1"},
      {R"({"W": [1], "b": [1], "blocks": [{"kind": "box"}], "row_error": [-1]})", "row_error of row 0: is -1"},
      {R"({"W": [1], "b": [1], "blocks": [{"kind": "box"}], "row_error": [1, 2]})", "row_error: has 2 values, not 1"},
      {R"({"W": [1], "b": [1], "blocks": [{"kind": "box"}], "velocity_scale": 0})", "velocity_scale: is 0"},
      {R"({"W": [1], "b": [1], "blocks": [{"kind": "box"}], "velocity_scale": -1})", "velocity_scale: is -1"},
      {R"({"W": [1], "b": [1], "blocks": [{"kind": "box"}], "velocity_scale": null})",
       "velocity_scale: is not a finite"},
      {R"({"W": [-1], "b": [1], "blocks": [{"kind": "at_least"}]})", "W[0][0]: is -1, negative"},
      {R"({"W": [1, 0.6, 0, 1], "b": [1, 2], "blocks": [{"kind": "at_least", "size": 2}]})",
       "W[1][0]: is 0, but W[0][1]"},
      {R"({"W": [1], "b": [1], "blocks": [{"kind": "equal"}], "unsymmetric": 1})", "unsymmetric: is neither true"},
      {R"({"W": [1], "b": [1e200], "blocks": [{"kind": "equal"}]})", "b: holds 1e+200, beyond"},
      {R"({"W": [1], "b": [1e-200], "blocks": [{"kind": "equal"}]})", "b: holds no number above"},
      {R"({"W_blocks": [[0, 7, [1,2,3,4,5,6,7,8,9]]], "b": [1, 2, 3], "mu": [1]})", "outside the matrix"},
      {R"({"W_blocks": [[0, 0.5, [1,2,3,4,5,6,7,8,9]]], "b": [1, 2, 3], "mu": [1]})", "is no index"},
  };
  const TemporaryFolder folder;
  for (const auto& [text, problem] : files) {
    const std::string file = folder.write("p.json", text);  // clang 14 lets no lambda capture a binding
    const Error error = expectError([&] { loadProblem(file); });
    EXPECT_TRUE(contains(error.what(), problem)) << text << "\n" << error.what();
    EXPECT_FALSE(error.remedy().empty()) << text;
  }
}

TEST(ProblemFile, DeepNestingDoesNotOverflowTheStack) {
  const TemporaryFolder folder;
  const std::string deep = std::string(500'000, '[') + std::string(500'000, ']');
  for (const char* key : {"blocks", "W_blocks", "W", "b"}) {
    const std::string file = folder.write("p.json", "{\"b\": [1], \"" + std::string(key) + "\": " + deep + "}");
    EXPECT_THROW(loadProblem(file), Error) << key;
  }
}

TEST(ProblemFile, TakesContactsOfThreeFourAndSixRowsAndNoOthers) {
  const std::string folder = testing::TempDir();
  for (const int size : {1, 2, 3, 4, 5, 6, 7}) {
    std::string W = "[", b = "[";
    for (int i = 0; i < size * size; ++i) W += (i > 0 ? ", " : "") + std::string(i % (size + 1) == 0 ? "1" : "0");
    for (int i = 0; i < size; ++i) b += (i > 0 ? ", " : "") + std::string(i == 0 ? "-1" : "0.1");
    const std::string file = folder + "rows.json";
    std::ofstream(file) << "{\"W\": " << W << "], \"b\": " << b
                        << "], \"blocks\": [{\"kind\": \"contact\", \"size\": " << size << ", \"mu\": 0.5}]}";
    const bool known = size == 3 || size == 4 || size == 6;
    try {
      const ContactProblem problem = loadProblem(file);
      EXPECT_TRUE(known) << size;
      EXPECT_EQ(problem.blocks[0].size, size);
      saveProblem(folder + "again.npz", problem);
      EXPECT_EQ(loadProblem(folder + "again.npz").blocks[0].size, size);
    } catch (const Error& error) {
      EXPECT_FALSE(known) << error.what();
      EXPECT_NE(std::string(error.what()).find("3 rows (normal, tangent, tangent), 4 with torsion or 6 with rolling"),
                std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace rigor
