// The room that the stops of loops leave while overlap is removed and loops are closed before a run.
#pragma once

#include "stepping/freedom_coordinate.h"
#include "stepping/least_move.h"

namespace rigor {

/// A freedom with stops, widened to where it starts: what begins outside is not pulled in, but goes no farther.
struct LoopRoom {
  LoopFreedom freedom;
  Range range{};
};
std::vector<LoopRoom> findLoopRooms(const Model& model, const Kinematics<double>& kin);

/// Two rows for each: how far its coordinate is from both ends.
void addRoomRows(const std::vector<LoopRoom>& rooms, const Topology& topology, const Kinematics<double>& kin,
                 std::vector<GapRow>& rows);

}  // namespace rigor
