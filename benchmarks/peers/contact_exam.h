// Random contact problems of the exam's classes, and who solves them by the word of an independent judge in long double.
#pragma once

#include <string>
#include <vector>

#include "rigor/contact_problem.h"

namespace rigor::peers {

/// One class of problems, drawn by a number.
struct ProblemClass {
  std::string name;
  bool solvable = true;  ///< false: walls close, and an answer is a proof that there is none
  ContactProblem (*draw)(std::uint64_t seed, const ProblemClass& self);
  int index = 0;  ///< in the list of families that it comes from
};

/// Families of tests/reference: generated scenes, and jams that close or open.
std::vector<ProblemClass> listClasses();

/// Contacts alone: what siconos and Pinocchio take.
bool hasContactsAlone(const ContactProblem& problem);
int countContacts(const ContactProblem& problem);

/// What became of an answer.
struct Truth {
  bool exact = false;  ///< accepted at 1e-10
  bool rough = false;  ///< at 1e-6
};
Truth judgeAnswer(const ContactProblem& problem, const std::vector<double>& impulse);

/// Which of the endless rows of problems are drawn.
struct Draw {
  std::uint64_t first = 1;  ///< seed; the next rounds through the classes have the following ones
  std::string folder;       ///< problems that are left open are saved there; empty: nowhere
  std::string only;         ///< class; empty: all
};
// contact_exam many N M [FIRST [FOLDER [CLASS]]]: N problems with up to 8 contacts and M larger ones, by `auto` alone.
int examineMany(long small, long large, const Draw& draw);
// contact_exam make FOLDER N: N problems of each class with contacts alone, as NPZ.
int makeProblems(const std::string& folder, int each);
// contact_exam judge FOLDER: every solver of rigor and every file of answers in FOLDER.
int judgeAll(const std::string& folder);

}  // namespace rigor::peers
