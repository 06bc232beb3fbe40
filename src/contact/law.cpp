// The laws of friction by name, for files and command lines.
#include <string>
#include <vector>

#include "contact/refuse_name.h"
#include "rigor/contact_problem.h"

namespace rigor {
namespace {

constexpr Law kLaws[] = {Law::kCoulomb, Law::kDissipation, Law::kPyramid, Law::kAssociated};

}  // namespace

std::string_view lawName(Law law) {
  switch (law) {
    case Law::kCoulomb:
      return "coulomb";
    case Law::kAssociated:
      return "associated";
    case Law::kDissipation:
      return "dissipation";
    case Law::kPyramid:
      return "pyramid";
  }
  return "";
}

Law findLaw(std::string_view name) {
  std::vector<std::string> known;
  for (const Law law : kLaws) {
    if (lawName(law) == name) return law;
    known.emplace_back(lawName(law));
  }
  refuseName("law", name, known);
}

}  // namespace rigor
