#include <algorithm>

#include "rigor/inverse.h"

namespace rigor {

double coneMargin(const Model& model, const Contact& contact) {
  const double normal = contact.impulse.dot(contact.normal);
  const double mu = model.material(contact.shape_1, contact.shape_2).friction;
  if (!(normal > 0.0)) return 0.0;
  if (!(mu > 0.0)) return 1.0;
  const double tangent = (contact.impulse - normal * contact.normal).norm();
  return std::max(0.0, 1.0 - tangent / (mu * normal));
}

}  // namespace rigor
