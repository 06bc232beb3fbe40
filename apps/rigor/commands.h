// The commands of the program: what each one is told, and the function that does it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rigor/inverse.h"
#include "rigor/io.h"
#include "rigor/run.h"

namespace rigor::app {

enum ExitCode : int {
  kDone = 0,    ///< the work was done and every step was accepted
  kFailed = 1,  ///< the work failed, a step was refused, or contact was missing
  kBadInput = 2,
  kInterrupted = 130,  ///< by the user, as a shell reports Ctrl-C
};

struct HelpText {
  std::string text;
};

struct DemoArguments {
  std::vector<std::string> out;  ///< empty: rigor_demo.html
  std::optional<double> time;    ///< [s]
  bool json = false;
};

struct InfoArguments {
  std::string model;  ///< model or scene file
  LoadOptions load;
  bool json = false;
};

struct EvalArguments {
  std::string model;  ///< model or scene file
  LoadOptions load;
  std::string state;  ///< JSON; empty: the reference at rest, or the start of the scene
  bool dense = false, json = false;
  bool step_derivatives = false;        ///< of the scene's first step
  std::vector<std::string> parameters;  ///< numbers that it is differentiated by besides (findStepParameter)
};

struct RunArguments {
  std::string scene;  ///< scene or model file
  LoadOptions load;
  std::optional<double> time, dt, tolerance;                    ///< [s], [s], ε; else the scene's
  std::optional<double> accuracy;                               ///< [per second] of stepper event; else the scene's
  std::optional<int> directions;                                ///< else the scene's
  std::optional<std::string> stepper, integrator, solver, law;  ///< else the scene's
  std::vector<std::string> out;                                 ///< .npz, .csv or .html; empty: nothing is recorded
  std::string from, save_snapshot, torques;
  std::pair<std::int64_t, std::string> save_problem;  ///< step and file; no file: none
  OnFailure on_failure = OnFailure::kSubstep;
  int threads = 1;  ///< that large islands are solved on
  bool limp = false, json = false, allow_missing_contact = false, verify_geometry = false;
};

struct InverseArguments {
  std::string scene, motion;  ///< scene or model file; .npz or .csv
  LoadOptions load;
  std::optional<double> time, dt;    ///< [s]; else the motion's, the scene's
  std::vector<std::string> out;      ///< .npz, .csv or .html; empty: nothing is recorded
  std::string save_start;            ///< snapshot; empty: none
  std::vector<std::string> passive;  ///< joints without torque
  ForceChoice choice = ForceChoice::kAsFound;
  bool keep_limits = false, json = false;
};

struct CompareArguments {
  std::string scene;  ///< scene or model file
  LoadOptions load;
  std::optional<double> time, dt;          ///< [s]; else the scene's
  std::vector<std::string> solvers, laws;  ///< empty: all, or with several steppers auto and coulomb
  std::vector<std::string> steppers;       ///< empty: the scene's
  std::string out;                         ///< folder of the report; empty: none
  bool limp = false, json = false;
};

struct GaitArguments {
  std::string robot;  ///< model or scene file
  LoadOptions load;
  std::vector<std::string> feet;  ///< links; empty: those of the scene, or those that it stands on
  double speed = 0.5;             ///< [m/s]
  std::optional<double> step_height, period, duty, dt, time;  ///< [m], [s], 1, [s], [s]; else WalkSpec's
  std::vector<std::string> out;                               ///< .npz or .html
  bool json = false;
};

struct ReproduceArguments {
  std::vector<std::string> names;
  std::string out = "rigor_reproduce";  ///< folder; created if it is not there
  std::string data;                     ///< folder of measurements, for experiments that need some
  std::optional<std::int64_t> steps;    ///< of every run, in place of the paper's
  bool all = false, list = false, quick = false, json = false;
};

struct SolveArguments {
  std::string problem, solver = "auto";
  std::optional<std::string> law;   ///< else the problem's
  std::optional<int> directions;    ///< else the problem's
  std::optional<double> tolerance;  ///< else 1e-10, for an LCP 1e-9
  bool list = false, json = false;
};

struct VerifyArguments {
  std::string recording;
  std::string out;  ///< the ledger, step by step; empty: not written
  bool json = false;
};

struct CollideArguments {
  std::string shape_a, shape_b;  ///< as shape_text.h reads them
  std::string pose_a, pose_b;    ///< empty: at the origin
  double margin = 0.0;           ///< [m]
  bool json = false;
};

struct CheckArguments {
  std::string scene;  ///< scene or model file
  LoadOptions load;
  std::optional<double> dt;  ///< [s]; else the scene's
  bool json = false;
};

using Command = std::variant<HelpText, DemoArguments, InfoArguments, EvalArguments, RunArguments, SolveArguments,
                             CompareArguments, ReproduceArguments, VerifyArguments, CollideArguments, CheckArguments,
                             GaitArguments, InverseArguments>;

/// Throws Error for a bad command line.
Command parseArguments(int count, const char* const* arguments);

// Each returns an ExitCode and throws Error for bad input.
int execute(const HelpText& help);
int execute(const DemoArguments& arguments);
int execute(const InfoArguments& arguments);
int execute(const EvalArguments& arguments);
int execute(const CompareArguments& arguments);
int execute(const ReproduceArguments& arguments);
int execute(const RunArguments& arguments);
int execute(const SolveArguments& arguments);
int execute(const VerifyArguments& arguments);
int execute(const CollideArguments& arguments);
int execute(const CheckArguments& arguments);
int execute(const GaitArguments& arguments);
int execute(const InverseArguments& arguments);

}  // namespace rigor::app
