// make_exam FOLDER: writes the problems of the exam as files, NAME.json each. tests/exam holds what it wrote.
#include <cstdio>

#include "reference/exam_problems.h"
#include "rigor/error.h"
#include "rigor/io.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    for (const rigor::reference::ExamProblem& one : rigor::reference::listExam())
      rigor::saveProblem(std::string(argv[1]) + "/" + one.name + ".json", one.problem);
  } catch (const rigor::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
