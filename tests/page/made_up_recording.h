// Bodies and rows of recordings that no simulator made.
#pragma once

#include <string>
#include <vector>

#include "rigor/recording.h"

namespace rigor {

struct MadeUpContact {
  int body_1, body_2;
  Eigen::Vector3d point, impulse;  ///< the normal is z
  ContactMode mode;
};

/// Axis y where the joint has one; the joint is called after the body.
BodySpec makeBody(const std::string& name, int parent, JointType type, const Eigen::Vector3d& at, double mass = 1.0);
void addShape(BodySpec& body, const Shape& shape, const Eigen::Vector3d& at = Eigen::Vector3d::Zero());

Recording makeEmptyRecording(const Scene& scene);
/// Writes the coordinates of a free joint.
void setFree(Eigen::VectorXd& q, int at, const Eigen::Vector3d& position, const Eigen::Quaterniond& rotation);

/// One step; v and tau are zero where they are not given.
struct MadeUpRow {
  double time;
  Eigen::VectorXd q;
  std::vector<MadeUpContact> contacts = {};
  Eigen::VectorXd v = {}, tau = {};
};
void addRow(Recording& recording, const MadeUpRow& row);

}  // namespace rigor
