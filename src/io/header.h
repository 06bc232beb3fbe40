// The JSON header of recordings and snapshots: what was simulated, complete enough to see it without the model file.
#pragma once

#include <string>

#include "rigor/scene.h"

namespace rigor {

/// Names a model by its content: bodies, joints, shapes, materials, gravity. Equal for equal models, however made.
std::string computeModelHash(const Model& model);
/// As it was until recordings of version 5 and snapshots of version 3.
std::string computeOldModelHash(const Model& model);

/// `format` is "rigor recording" or "rigor snapshot". Infinite limits are null.
std::string makeHeader(const Scene& scene, const std::string& format, int version);

struct HeaderFacts {
  std::string scene, hash;
  int version = 0, bodies = 0;
  double dt = 0.0;                            ///< [s]
  std::string stepper = "minimal";            ///< the only one of old files
  std::string integrator, solver, law;        ///< empty in old files
  std::vector<double> targets;                ///< of the scene's drives (listDrives)
  std::vector<char> is_plane;                 ///< [shapes]
  std::vector<std::string> q_names, v_names;  ///< [nq], [nv] what the columns are called; empty in old files
};

/// Throws Error unless the text is a header of this format and of a version from 1 to `newest`.
HeaderFacts parseHeader(const std::string& text, const std::string& format, int newest, const std::string& file);

}  // namespace rigor
