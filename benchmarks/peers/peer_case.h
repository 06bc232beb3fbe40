// One model with a handful of states, in plain numbers: what both libraries are given, and what they give back.
//
// No Eigen type crosses this header: the two sides may be compiled with different vector widths, which changes the
// alignment of Eigen's fixed-size types.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace rigor::peers {

enum class PlainJoint { kFixed, kHinge, kFree };

struct PlainBody {
  int parent = -1;  ///< −1 for the world
  PlainJoint joint = PlainJoint::kFixed;
  std::array<double, 3> axis{};  ///< in the joint frame
  std::array<double, 9> R_PJ{};  ///< row-major
  std::array<double, 3> p_PJ{};  ///< [m]
  double mass = 0.0, armature = 0.0;
  std::array<double, 3> com{};
  std::array<double, 6> inertia{};  ///< about the centre of mass: xx, xy, yy, xz, yz, zz
};

/// q, v in rigor's conventions (quaternion w first, linear velocity of a free base in world axes).
struct PlainState {
  std::vector<double> q, v;
  std::vector<double> tau;  ///< input of ABA; joints and base alike
  std::vector<double> a;    ///< input of RNEA
};

struct PlainContact {
  int body = 0;
  std::array<double, 3> point{};  ///< in the body's frame
};

struct PeerCase {
  std::string name;
  std::vector<PlainBody> bodies;
  std::vector<PlainState> states;
  std::vector<PlainContact> contacts;  ///< the first four and all eight of them are used
  int base_freedoms = 0;               ///< 6 with a free base, else 0
};

/// One algorithm of one library, from the state to the answer, kinematics included.
struct Algorithm {
  std::string name;
  std::function<void(int state)> run;
  /// The part of the last answer that does not depend on conventions for the base: rows and columns of the joints, or
  /// the Delassus matrix in world axes.
  std::function<std::vector<double>()> answer;
};

struct Side {
  std::vector<Algorithm> algorithms;
  double data_bytes = 0.0;  ///< heap for model and data of the O(n) algorithms
};

Side makePinocchioSide(const PeerCase& given);
Side makeRigorSide(const PeerCase& given);

std::vector<PeerCase> makeCases(const std::string& scenes);  ///< ANYmal, a humanoid, chains of 10 … 1000 links

}  // namespace rigor::peers
