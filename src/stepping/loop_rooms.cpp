#include "stepping/loop_rooms.h"

#include <algorithm>
#include <map>

#include "dynamics/jacobian.h"

namespace rigor {

std::vector<LoopRoom> findLoopRooms(const Model& model, const Kinematics<double>& kin) {
  std::vector<LoopRoom> rooms;
  for (const LoopFreedom& freedom : makeLoopFreedoms(model)) {
    if (!freedom.limited) continue;
    const double start = computeFreedom(freedom, model.topology(), kin).x;
    rooms.push_back({freedom, {std::min(freedom.lower, start), std::max(freedom.upper, start)}});
  }
  return rooms;
}

void addRoomRows(const std::vector<LoopRoom>& rooms, const Topology& topology, const Kinematics<double>& kin,
                 std::vector<GapRow>& rows) {
  for (const LoopRoom& room : rooms) {
    const FreedomAt at = computeFreedom(room.freedom, topology, kin);
    const int links[2] = {room.freedom.along.link_2, room.freedom.along.link_1};
    std::map<int, double> J;
    for (int side = 0; side < 2; ++side) {
      if (links[side] == kWorld) continue;
      std::vector<double> chain(topology.chain_length[links[side]]);
      jacobianRow(topology, kin.S.data(), links[side], at.F[side], chain.data());
      for (std::size_t k = 0; k < chain.size(); ++k)
        J[topology.chain[topology.chain_start[links[side]] + k]] += chain[k];
    }
    GapRow lower{at.x - room.range.lower, false, {J.begin(), J.end()}}, upper = lower;
    upper.gap = room.range.upper - at.x;
    for (auto& [freedom, value] : upper.J) value = -value;
    rows.push_back(std::move(lower)), rows.push_back(std::move(upper));
  }
}

}  // namespace rigor
