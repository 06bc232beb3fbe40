#include "stepping/stepper.h"

#include <algorithm>
#include <cassert>

namespace rigor {

StepInput makeIdleInput(int nv) {
  StepInput input;
  input.tau.assign(nv, 0.0);
  input.drive_of.assign(nv, -1);
  return input;
}

void setDrive(const Drive& drive, StepInput& input) {
  assert(drive.dof >= 0 && drive.dof < static_cast<int>(input.drive_of.size()) &&
         "a drive turns a freedom of the model");
  int& index = input.drive_of[drive.dof];
  if (index >= 0) {
    input.drives[index] = drive;
    return;
  }
  const auto earlier = [](const Drive& a, const Drive& b) { return a.dof < b.dof; };
  input.drives.insert(std::upper_bound(input.drives.begin(), input.drives.end(), drive, earlier), drive);
  for (std::size_t i = 0; i < input.drives.size(); ++i) input.drive_of[input.drives[i].dof] = static_cast<int>(i);
}

}  // namespace rigor
