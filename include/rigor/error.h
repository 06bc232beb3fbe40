// How rigor reports trouble with a file, a model or an argument. Numerical trouble inside a step is never an
// exception: it is a status in the StepReport.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace rigor {

/// A place in an input file. Line 0 means that no line is known (a model built in code, a missing file).
struct Place {
  std::string file;
  int line = 0;
  std::string element;  ///< what the line describes, e.g. `joint "LF_KFE"`
};

/// Names come from files and may hold anything. Control characters, line breaks too, become visible: \n, \x1b.
std::string printable(const std::string& text);

/// A remedy for a mistyped name: the nearest known one, if one is near, and all of them.
std::string suggestKnown(const std::string& unknown, const std::vector<std::string>& known);

/// A bad file, model or argument. `what()` reads `file:line: element: problem` and, on a second line, the remedy.
class Error : public std::runtime_error {
 public:
  Error(Place where, std::string problem, std::string remedy = {});
  explicit Error(std::string problem, std::string remedy = {})
      : Error(Place{}, std::move(problem), std::move(remedy)) {}

  const Place& where() const { return where_; }
  const std::string& problem() const { return problem_; }
  const std::string& remedy() const { return remedy_; }

 private:
  Place where_;
  std::string problem_, remedy_;
};

/// What a warning is about, for programs; the words are for people.
enum class WarningKind : std::uint8_t {
  kOther,
  kNotice,           ///< nothing is wrong or left out: a link without mass that is only a frame
  kLastingOverlap,   ///< shapes of one robot inside each other in every pose, left out of contact
  kMovedPose,        ///< joints moved so that the start is without overlap
  kNoClearPose,      ///< shapes left out of contact because no such pose was found
  kMissingShape,     ///< a shape that could not be read
  kNoContactCode,    ///< pairs of shapes that nothing keeps apart
  kHull,             ///< a mesh that collides as a much larger hull
  kMoments,          ///< moments of inertia that no body has
  kNegativeMoments,  ///< a principal moment below zero
  kPointMass,        ///< a mass without moments
  kImmovable,        ///< a joint with nowhere to go
  kShapeless,        ///< a free robot that nothing can hold up
  kOutsideRange,     ///< a joint that starts beyond its range
  kNoEffort,         ///< a joint that may not be held
  kMovedApart,       ///< joints moved with bodies that overlapped where the scene starts
  kOverlap,          ///< shapes inside each other where the scene starts, moved apart
  kOpenLoop,         ///< a loop or constraint that was open where the scene starts, closed
};

/// Something the user should know although the motion is still defined. `--strict` turns all but notices into errors.
struct Warning {
  Place where;
  std::string message;
  bool changes_motion = false;  ///< the motion is not that of what was given: something was left out or moved
  WarningKind kind = WarningKind::kOther;
  std::string text() const;  ///< `file:line: element: message`
};

}  // namespace rigor
