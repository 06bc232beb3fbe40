#include "lanes/limbs.h"

#include <algorithm>
#include <map>

namespace rigor {
namespace {

using Children = std::vector<std::vector<int>>;  // [links] ascending

Children childrenOf(const Topology& topology) {
  Children children(topology.links);
  for (int link = 0; link < topology.links; ++link)
    if (topology.parent[link] >= 0) children[topology.parent[link]].push_back(link);
  return children;
}

/// [links] equal numbers for branches with the same joints: the joint's type, then the shapes of the children in order.
std::vector<int> shapesOf(const Topology& topology, const Children& children) {
  std::map<std::vector<int>, int> known;
  std::vector<int> shape(topology.links);
  for (int link = topology.links - 1; link >= 0; --link) {
    const JointType type = topology.joint[link];
    std::vector<int> signature{static_cast<int>(type.translation), static_cast<int>(type.rotation)};
    for (const int child : children[link]) signature.push_back(shape[child]);
    shape[link] = known.emplace(signature, static_cast<int>(known.size())).first->second;
  }
  return shape;
}

/// Both branches side by side; siblings ascending, as in the tree itself.
LimbPair pairBranches(const Children& children, int parent, int first, int second) {
  LimbPair pair{parent, {}};
  std::vector<std::array<int, 2>> waiting{{first, second}};
  while (!waiting.empty()) {
    const std::array<int, 2> links = waiting.back();
    waiting.pop_back();
    pair.links.push_back(links);
    for (std::size_t k = children[links[0]].size(); k-- > 0;)
      waiting.push_back({children[links[0]][k], children[links[1]][k]});
  }
  return pair;
}

}  // namespace

LimbSplit splitLimbs(const Topology& topology) {
  const Children children = childrenOf(topology);
  const std::vector<int> shape = shapesOf(topology, children);
  LimbSplit split;
  std::vector<char> in_limb(topology.links, 0);
  for (int link = 0; link < topology.links; ++link) {  // parents first
    if (topology.parent[link] >= 0 && in_limb[topology.parent[link]]) in_limb[link] = 1;
    if (in_limb[link]) continue;
    split.trunk.push_back(link);
    std::map<int, int> alone;  // shape → child without a counterpart so far
    for (const int child : children[link]) {
      const auto found = alone.find(shape[child]);
      if (found == alone.end()) {
        alone.emplace(shape[child], child);
        continue;
      }
      split.pairs.push_back(pairBranches(children, link, found->second, child));
      in_limb[found->second] = in_limb[child] = 1;
      alone.erase(found);
    }
  }
  return split;
}

}  // namespace rigor
