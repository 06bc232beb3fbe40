#include "verify/recording_check.h"

#include <algorithm>

#include <fmt/format.h>

#include <cmath>

namespace rigor::verify {

void checkSizes(const World& world, const Recording& r) {
  if (r.nq != world.nq || r.nv != world.nv)
    throw Error({"", 0, "header"},
                fmt::format("the recording has {} coordinates and {} velocities, its model {} and {}", r.nq, r.nv,
                            world.nq, world.nv),
                "The recording is damaged; record the run again.");
  if (r.version > 3 && r.kick_columns != world.trees)
    throw Error({"", 0, "substep_kick"}, fmt::format("has {} columns, the model {} trees", r.kick_columns, world.trees),
                "The recording is damaged; record the run again.");
  if (r.version > 1 && (r.nu != world.drives || r.ctrl.size() != static_cast<std::size_t>(r.steps()) * world.drives))
    throw Error({"", 0, "ctrl"},
                fmt::format("{} targets in {} steps do not fit the {} drives of the header", r.ctrl.size(), r.steps(),
                            world.drives),
                "The recording is damaged; record the run again.");
  if (!(r.dt > 0.0) || !std::isfinite(r.dt))
    throw Error({"", 0, "header"}, fmt::format("the length of a step is {} s", r.dt), "Record the run again.");
}

void checkFinite(const Recording& r) {
  const std::pair<const char*, const std::vector<double>*> arrays[] = {{"time", &r.time},
                                                                       {"q", &r.q},
                                                                       {"v", &r.v},
                                                                       {"energy", &r.energy},
                                                                       {"momentum", &r.momentum},
                                                                       {"tau", &r.tau},
                                                                       {"input_tau", &r.input_tau},
                                                                       {"ctrl", &r.ctrl},
                                                                       {"residual", &r.residual},
                                                                       {"penetration", &r.penetration},
                                                                       {"wrench", &r.wrench},
                                                                       {"substep_h", &r.substep_h},
                                                                       {"substep_theta", &r.substep_theta},
                                                                       {"substep_kick", &r.substep_kick},
                                                                       {"substep_q", &r.substep_q},
                                                                       {"substep_v", &r.substep_v},
                                                                       {"substep_v_mean", &r.substep_v_mean},
                                                                       {"substep_v_end", &r.substep_v_end},
                                                                       {"contact_point", &r.contact_point},
                                                                       {"contact_normal", &r.contact_normal},
                                                                       {"contact_gap", &r.contact_gap},
                                                                       {"contact_gap_end", &r.contact_gap_end},
                                                                       {"contact_impulse", &r.contact_impulse},
                                                                       {"contact_torque", &r.contact_torque},
                                                                       {"row_impulse", &r.row_impulse},
                                                                       {"own_impulse", &r.own_impulse}};
  for (const auto& [name, values] : arrays)
    for (std::size_t i = 0; i < values->size(); ++i)
      if (!std::isfinite((*values)[i]))
        throw Error({"", 0, name}, fmt::format("entry {} is not finite", i),
                    "The recording is damaged; record the run again.");
}

bool hasContactsOfOld(const Recording& recording) {
  return recording.version < 7 && std::any_of(
                                      recording.contact_id.begin(), recording.contact_id.end(),
                                      [](const RowId& id) {
                                        const auto kind = static_cast<FeatureKind>(id.high & 0xff);
                                        return kind == FeatureKind::kBallBall || kind == FeatureKind::kVertexEdge ||
                                               kind == FeatureKind::kEdgeVertex;
                                      });
}

}  // namespace rigor::verify
