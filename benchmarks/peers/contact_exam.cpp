// contact_exam many N M [FIRST [FOLDER [CLASS]]] | make FOLDER N | judge FOLDER: see contact_exam.h, and contact_exam.sh for all of it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "contact_exam.h"
#include "reference/planted_jams.h"
#include "reference/problem_families.h"
#include "reference/slow_certificate.h"
#include "reference/slow_judge.h"
#include "rigor/error.h"
#include "rigor/io.h"
#include "rigor/solver.h"

namespace rigor::peers {
namespace {

constexpr int kMostSmall = 8;  // contacts

ContactProblem drawFamily(std::uint64_t seed, const ProblemClass& self) {
  return reference::problemFamilies()[self.index].make(seed);
}
ContactProblem drawClosing(std::uint64_t seed, const ProblemClass& self) {
  return reference::jamFamilies()[self.index].make(seed, 0.5);
}
ContactProblem drawOpening(std::uint64_t seed, const ProblemClass& self) {
  return reference::jamFamilies()[self.index].make(seed, -0.5);
}

ContactSolution solve(ContactSolver& solver, const ContactProblem& problem) {
  ContactSolution solution;
  solution.impulse.assign(problem.rows(), 0.0);
  solver.solve(problem, {}, solution);
  return solution;
}

/// Counts of one solver on one class.
struct Score {
  long asked = 0, exact = 0, rough = 0, proved = 0, wrong = 0;
  void add(const Truth& truth, bool claims, bool proof) {
    ++asked, exact += truth.exact, rough += truth.rough, proved += proof;
    wrong += claims && !truth.rough;
  }
};

struct Answered {
  bool claims = false;
  std::vector<double> impulse;
};

/// Lines of: problem, 1 if the solver says that it converged, impulses.
std::map<std::string, Answered> readAnswers(const std::string& file) {
  std::map<std::string, Answered> answers;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    Answered answer;
    words >> name >> answer.claims;
    for (std::string word; words >> word;) answer.impulse.push_back(std::strtod(word.c_str(), nullptr));
    answers[name] = answer;
  }
  return answers;
}

std::vector<std::string> readLines(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string classOf(const std::string& problem) { return problem.substr(0, problem.rfind('-')); }

void print(const std::vector<std::string>& solvers, const std::map<std::string, std::map<std::string, Score>>& table) {
  std::printf("%-30s %8s", "class", "problems");
  for (const std::string& solver : solvers) std::printf(" %22s", solver.c_str());
  std::printf("\n%-30s %8s", "", "");
  for (std::size_t i = 0; i < solvers.size(); ++i) std::printf(" %22s", "1e-10  1e-6  false");
  for (const auto& [name, scores] : table) {
    std::printf("\n%-30s %8ld", name.c_str(), scores.begin()->second.asked);
    for (const std::string& solver : solvers) {
      const Score& score = scores.at(solver);
      std::printf("     %6ld %5ld %5ld", score.exact + score.proved, score.rough + score.proved, score.wrong);
    }
  }
  std::printf("\n");
}

}  // namespace

std::vector<ProblemClass> listClasses() {
  std::vector<ProblemClass> classes;
  for (std::size_t i = 0; i < reference::problemFamilies().size(); ++i)
    classes.push_back({reference::problemFamilies()[i].name, true, drawFamily, static_cast<int>(i)});
  for (std::size_t i = 0; i < reference::jamFamilies().size(); ++i) {
    classes.push_back({"closing_" + reference::jamFamilies()[i].name, false, drawClosing, static_cast<int>(i)});
    classes.push_back({"opening_" + reference::jamFamilies()[i].name, true, drawOpening, static_cast<int>(i)});
  }
  return classes;
}

bool hasContactsAlone(const ContactProblem& problem) {
  return std::all_of(problem.blocks.begin(), problem.blocks.end(),
                     [](const Block& block) { return block.kind == BlockKind::kContact; });
}

int countContacts(const ContactProblem& problem) {
  return static_cast<int>(std::count_if(problem.blocks.begin(), problem.blocks.end(),
                                        [](const Block& block) { return block.kind == BlockKind::kContact; }));
}

Truth judgeAnswer(const ContactProblem& problem, const std::vector<double>& impulse) {
  if (impulse.size() != problem.b.size()) return {};
  std::vector<double> velocity(problem.b);
  for (int i = 0; i < problem.rows(); ++i) {
    long double sum = problem.b[i];
    for (int j = 0; j < problem.rows(); ++j) sum += static_cast<long double>(problem.W(i, j)) * impulse[j];
    velocity[i] = static_cast<double>(sum);
  }
  return {reference::judgeSlowly(problem, impulse, velocity, 1e-10).accepted,
          reference::judgeSlowly(problem, impulse, velocity, 1e-6).accepted};
}

int examineMany(long small, long large, const Draw& draw) {
  std::vector<ProblemClass> classes = listClasses();
  if (!draw.only.empty()) std::erase_if(classes, [&](const ProblemClass& one) { return one.name != draw.only; });
  if (classes.empty()) throw Error("no class is called " + draw.only);
  const auto solver = makeSolver("auto");
  std::map<std::string, Score> scores[2];  // small, large
  long left[2] = {small, large}, open = 0, wrong = 0;
  for (std::uint64_t seed = draw.first; left[0] > 0 || left[1] > 0; ++seed)
    for (const ProblemClass& one : classes) {
      const ContactProblem problem = one.draw(7919 * seed + 1'000'000'007, one);
      const int size = countContacts(problem) <= kMostSmall ? 0 : 1;
      if (left[size] <= 0) continue;
      --left[size];
      const ContactSolution solution = solve(*solver, problem);
      const Truth truth = judgeAnswer(problem, solution.impulse);
      const bool claims = solution.status == SolveStatus::kSolved,
                 says_none = solution.status == SolveStatus::kNoSolution;
      const bool proof = says_none && reference::provesSlowly(problem, solution.certificate);
      Score& score = scores[size][one.name];
      score.add(truth, false, proof && !one.solvable);
      const bool is_false = (claims && (!truth.exact || !one.solvable)) || (says_none && (!proof || one.solvable));
      score.wrong += is_false, wrong += is_false;
      if (is_false) std::printf("false: %s, seed %lu\n", one.name.c_str(), (unsigned long)seed);
      if (is_false && !draw.folder.empty())
        saveProblem(draw.folder + "/false-" + one.name + "-" + std::to_string(seed) + ".json", problem);
      if (claims || says_none) continue;
      ++open, std::printf("left open: %s, seed %lu\n", one.name.c_str(), (unsigned long)seed), std::fflush(stdout);
      if (!draw.folder.empty())
        saveProblem(draw.folder + "/" + one.name + "-" + std::to_string(seed) + ".json", problem);
    }
  for (int size = 0; size < 2; ++size)
    for (const auto& [name, score] : scores[size])
      std::printf("%s %-30s %8ld problems, %8ld solved, %8ld proved to have no solution, %ld false\n",
                  size == 0 ? "small" : "large", name.c_str(), score.asked, score.exact, score.proved, score.wrong);
  std::printf("left open %ld, false %ld\n", open, wrong);
  return wrong == 0 ? 0 : 1;
}

int makeProblems(const std::string& folder, int each) {
  std::ofstream list(folder + "/problems.txt");
  for (const ProblemClass& one : listClasses())
    for (int i = 0, made = 0; made < each && i < 4 * each; ++i) {
      const ContactProblem problem = one.draw(104729 * (i + 1) + 17, one);
      if (!hasContactsAlone(problem)) break;
      const std::string name = one.name + "-" + std::to_string(made++);
      saveProblem(folder + "/" + name + ".npz", problem);
      list << name << "\n";
    }
  return list ? 0 : 1;
}

int judgeAll(const std::string& folder) {
  std::vector<std::string> solvers;
  std::map<std::string, std::map<std::string, Answered>> answers;
  for (const std::string& peer : readLines(folder + "/answers.txt"))
    solvers.push_back(peer), answers[peer] = readAnswers(folder + "/" + peer + ".txt");
  std::map<std::string, std::map<std::string, Score>> table;
  std::map<std::string, std::unique_ptr<ContactSolver>> ours;
  for (const SolverInfo& info : listSolvers()) {
    const std::string name(info.name);
    ours[name] = makeSolver(info.name);
    if (ours[name]->solves(Law::kCoulomb)) solvers.push_back(name);
  }
  for (const std::string& name : readLines(folder + "/problems.txt")) {
    const ContactProblem problem = loadProblem(folder + "/" + name + ".npz");
    for (const std::string& solver : solvers) {
      Score& score = table[classOf(name)][solver];
      if (answers.count(solver)) {
        const Answered& answer = answers[solver][name];
        score.add(judgeAnswer(problem, answer.impulse), answer.claims, false);
        continue;
      }
      const ContactSolution solution = solve(*ours[solver], problem);
      const bool proof =
          solution.status == SolveStatus::kNoSolution && reference::provesSlowly(problem, solution.certificate);
      score.add(judgeAnswer(problem, solution.impulse), solution.status == SolveStatus::kSolved, proof);
    }
  }
  print(solvers, table);
  return 0;
}

}  // namespace rigor::peers

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  try {
    if (what == "many" && argc >= 4 && argc <= 7) {
      rigor::peers::Draw draw;
      if (argc > 4) draw.first = std::strtoull(argv[4], nullptr, 10);
      if (argc > 5) draw.folder = argv[5];
      if (argc > 6) draw.only = argv[6];
      return rigor::peers::examineMany(std::atol(argv[2]), std::atol(argv[3]), draw);
    }
    if (what == "make" && argc == 4) return rigor::peers::makeProblems(argv[2], std::atoi(argv[3]));
    if (what == "judge" && argc == 3) return rigor::peers::judgeAll(argv[2]);
  } catch (const rigor::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  std::fprintf(stderr, "usage: contact_exam many N M [FIRST [FOLDER [CLASS]]] | make FOLDER N | judge FOLDER\n");
  return 2;
}
