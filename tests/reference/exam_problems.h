// The exam of all solvers, problem by problem: small ones with a name, made once and kept as files in tests/exam, where
// `rigor solve` reads them too. make_exam.cpp writes them.
#pragma once

#include <string>
#include <vector>

#include "reference/mechanism.h"
#include "rigor/contact_problem.h"

namespace rigor::reference {

struct ExamProblem {
  std::string name;      ///< of its file, without ending
  bool solvable = true;  ///< false: walls that close leave no solution, and there is a proof
  ContactProblem problem;
};

/// All of them, in the order of the table.
std::vector<ExamProblem> listExam();

// Parts of it.
void addTables(std::vector<ExamProblem>& exam);      ///< more legs than can be told apart, at rest and sliding
void addStacks(std::vector<ExamProblem>& exam);      ///< heavy on light, up to 1e8
void addFriction(std::vector<ExamProblem>& exam);    ///< μ from 0 to 10
void addImpacts(std::vector<ExamProblem>& exam);     ///< 1e-9 … 1e6 m/s
void addDuplicates(std::vector<ExamProblem>& exam);  ///< the same contact several times
void addHeaps(std::vector<ExamProblem>& exam);
void addRest(std::vector<ExamProblem>& exam);   ///< nothing to do, nothing touches
void addFeet(std::vector<ExamProblem>& exam);   ///< of hinged links: blocks of rank 1 and 2
void addLoops(std::vector<ExamProblem>& exam);  ///< bodies tied to each other, on the floor; some tied twice
void addRods(std::vector<ExamProblem>& exam);   ///< Painlevé
void addGrips(std::vector<ExamProblem>& exam);
void addJams(std::vector<ExamProblem>& exam);    ///< no solution; and the same with walls that open
void addJoints(std::vector<ExamProblem>& exam);  ///< limits, motors, dry friction
void addRobots(std::vector<ExamProblem>& exam);
void addRoundFeet(std::vector<ExamProblem>& exam);  ///< torsion and rolling: contacts of 4 and 6 rows

/// W as factors over free bodies, six freedoms each: what is larger would make large files.
ContactProblem factored(const Mechanism& bodies);

}  // namespace rigor::reference
