// Machine output: the contract of the command line. Names of keys stay.
#pragma once

#include <string>
#include <vector>

#include "comparison.h"
#include "eval.h"
#include "experiments/experiment.h"
#include "failure_files.h"
#include "rigor/check.h"
#include "rigor/collide.h"
#include "rigor/contact_problem.h"
#include "rigor/follow_motion.h"
#include "rigor/lcp.h"
#include "rigor/ledger.h"
#include "rigor/model.h"
#include "rigor/run_summary.h"
#include "rigor/scene.h"
#include "rigor/solver.h"
#include "rigor/step_derivatives.h"
#include "rigor/verify.h"
#include "rigor/walk.h"

namespace rigor::app {

struct DoneExperiment {
  const experiments::Experiment* experiment;
  experiments::Outcome outcome;
  double seconds = 0.0;  ///< real time that it took
};

// Each returns one JSON object and a newline. Numbers read back to the same double; what is not finite becomes null.
std::string infoJson(const std::string& file, const std::string& format, const Model& model,
                     const std::vector<Warning>& warnings);
/// Of a step that was taken: its derivatives, or why there are none.
std::string stepDerivativesJson(StepDerivatives& derivatives, const StepReport& report);
std::string evalJson(const Model& model, const std::vector<Evaluation>& results, bool is_list);
std::string runJson(const Scene& scene, const RunSummary& summary, const std::vector<Warning>& warnings,
                    const FailureFiles& failed);
std::string compareJson(const std::vector<ComparedRun>& runs, const std::vector<StepperGap>& gaps);
std::string reproduceJson(const std::string& folder, const std::vector<DoneExperiment>& done);
std::string experimentListJson(const std::vector<experiments::Experiment>& experiments);
std::string solveJson(const std::string& solver, const std::string& law, const ContactSolution& solution,
                      double microseconds);
std::string solveJson(const LcpSolution& solution, double microseconds);
std::string verifyJson(const Verdict& verdict, const EnergyLedger& ledger);
std::string inverseJson(const FollowSummary& summary, const RunSummary& run);
std::string checkJson(const std::vector<Problem>& problems);
std::string collideJson(const Collision& collision, const std::vector<std::string>& features);  ///< one for each point
std::string gaitJson(const Model& model, const WalkSpec& spec, const Walk& walk);
std::string solverListJson(const std::vector<SolverInfo>& solvers);

const char* statusName(LcpStatus status);    ///< of these, all but "inaccurate"
const char* statusName(SolveStatus status);  ///< "solved", "inaccurate", "no_solution", "unsolved", "bad_input"

}  // namespace rigor::app
