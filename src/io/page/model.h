// The part of a page's header that says what there is: bodies, meshes, shapes and what bodies look like.
#pragma once

#include <string>

#include "rigor/model.h"

namespace rigor {

/// "bodies": […], "meshes": […], "shapes": […], "visuals": […] without braces around them. A shape names its body, kind,
/// size, pose and, where it is made of one, its place in the list of meshes; a visual has a colour too.
std::string describeModelForPage(const Model& model);

}  // namespace rigor
