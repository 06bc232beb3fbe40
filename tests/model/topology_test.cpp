#include "model/topology.h"
#include "model/make_topology.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/parameters.h"
#include "model/sample_bodies.h"
#include "reference/random_tree.h"

namespace rigor {
namespace {

/// Degrees of freedom from the root to a link, found by walking up.
std::vector<int> walkChain(const Topology& top, int link) {
  std::vector<int> chain;
  for (; link >= 0; link = top.parent[link])
    for (int k = top.dofs[link] - 1; k >= 0; --k) chain.push_back(top.v_index[link] + k);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

TEST(Topology, ChainsRunFromTheRootToTheLink) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Model model = makeRandomTree(seed, 3);
    const Topology& top = model.topology();
    for (int link = 0; link < top.links; ++link) {
      const auto begin = top.chain.begin() + top.chain_start[link];
      EXPECT_EQ(std::vector<int>(begin, begin + top.chain_length[link]), walkChain(top, link)) << "seed " << seed;
    }
  }
}

TEST(Topology, CommonPrefixesAreTheAncestorsThatTwoLinksShare) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Model model = makeRandomTree(seed, 3);
    const Topology& top = model.topology();
    for (int a = 0; a < top.links; ++a)
      for (int b = 0; b < top.links; ++b) {
        const std::vector<int> chain_a = walkChain(top, a), chain_b = walkChain(top, b);
        const auto [end, other] = std::mismatch(chain_a.begin(), chain_a.end(), chain_b.begin(), chain_b.end());
        EXPECT_EQ(top.commonPrefix(a, b), end - chain_a.begin()) << "seed " << seed << " links " << a << " " << b;
      }
  }
}

TEST(Topology, PackedRowsFollowEachOtherWithoutGaps) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Model model = makeRandomTree(seed, 3);
    const Topology& top = model.topology();
    int next = 0;
    for (int dof = 0; dof < top.nv; ++dof) {
      const std::vector<int> chain = walkChain(top, top.dof_link[dof]);
      EXPECT_EQ(chain[top.dof_depth[dof]], dof);
      EXPECT_EQ(top.row_start[dof], next);
      next += top.dof_depth[dof] + 1;
    }
    EXPECT_EQ(top.packed_size, next);
  }
}

TEST(Topology, VisitsMeetEveryLinkOnceAfterItsParentAndOnlyTwoThatAreAlike) {
  int pairs = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Model model = makeRandomTree(seed, 3);
    const Topology& top = model.topology();
    std::vector<int> met(top.links, 0), last_child(top.links, -1);
    const auto meet = [&](int link) {
      EXPECT_EQ(met[link]++, 0);
      if (top.parent[link] < 0) return;
      EXPECT_EQ(met[top.parent[link]], 1) << "seed " << seed << " link " << link;
      EXPECT_GT(link, last_child[top.parent[link]]) << "sums over children keep their order";
      last_child[top.parent[link]] = link;
    };
    for (const auto& [first, second] : top.visits) {
      meet(first);
      if (second < 0) continue;
      ++pairs;
      meet(second);
      EXPECT_NE(top.parent[second], first);
      EXPECT_EQ(top.joint[first], top.joint[second]);
      EXPECT_EQ(top.chain_length[first], top.chain_length[second]);
      EXPECT_EQ(top.free_base[first], top.free_base[second]);
    }
    EXPECT_EQ(std::count(met.begin(), met.end(), 1), top.links);
  }
  EXPECT_GT(pairs, 10);
}

TEST(Topology, TreesAreContiguousRunsOfLinks) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Model model = makeRandomTree(seed, 3);
    const Topology& top = model.topology();
    ASSERT_EQ(top.trees, 3);
    for (int tree = 0; tree < top.trees; ++tree) EXPECT_EQ(top.parent[top.tree_root[tree]], -1);
    for (int link = 0; link < top.links; ++link) {
      EXPECT_LT(top.parent[link], link);
      if (top.parent[link] >= 0) {
        EXPECT_EQ(top.tree[link], top.tree[top.parent[link]]);
      }
      EXPECT_GE(link, top.tree_root[top.tree[link]]);
    }
  }
}

TEST(Topology, CoordinatesFollowTheOrderOfTheBodies) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Model model = makeRandomTree(seed, 3);
    int nq = 0, nv = 0;
    for (int body = 0; body < model.bodyCount(); ++body) {
      EXPECT_EQ(model.qIndex(body), nq);
      EXPECT_EQ(model.vIndex(body), nv);
      std::vector<JointSpec> joints = model.body(body).more_joints;
      joints.insert(joints.begin(), model.body(body).joint);
      const int last = model.placements()[body].link, first = last + 1 - static_cast<int>(joints.size());
      for (int k = 0; k < static_cast<int>(joints.size()); ++k) {
        if (velocityCount(joints[k].type) > 0) {
          EXPECT_EQ(model.topology().q_index[first + k], nq);
          EXPECT_EQ(model.topology().v_index[first + k], nv);
          EXPECT_EQ(model.joints()[first + k].spec.name, joints[k].name);
          EXPECT_EQ(model.joints()[first + k].body, body);
        }
        nq += positionCount(joints[k].type);
        nv += velocityCount(joints[k].type);
      }
    }
    EXPECT_EQ(model.nq(), nq);
    EXPECT_EQ(model.nv(), nv);
  }
}

TEST(Topology, OfASerialChainNeedsMemoryInProportionToItsLength) {
  const int n = 1000;
  const Topology top = makeTopology(
      [&] {
        std::vector<int> parent(n);
        for (int i = 0; i < n; ++i) parent[i] = i - 1;
        return parent;
      }(),
      std::vector<JointType>(n, kHinge));
  EXPECT_EQ(top.chain.size(), static_cast<std::size_t>(n));
  EXPECT_EQ(top.commonPrefix(300, 700), 301);
}

TEST(Topology, OfAModelWithoutMovingBodiesIsEmpty) {
  ModelBuilder builder;
  builder.addBody(ballBody("pole", kWorld, kFixed));
  const Model model = builder.build();
  EXPECT_EQ(model.nv(), 0);
  EXPECT_EQ(model.topology().trees, 0);
  EXPECT_EQ(ModelBuilder().build().bodyCount(), 0);
}

}  // namespace
}  // namespace rigor
