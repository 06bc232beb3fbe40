// [[wrench]]: what pushes.
#include <fmt/format.h>

#include "io/scene/assemble.h"
#include "text/nearest.h"

namespace rigor {

void addWrenches(std::vector<TableReader> tables, Scene& scene) {
  std::vector<std::string> names;
  for (int body = 0; body < scene.model.bodyCount(); ++body) names.push_back(scene.model.body(body).name);
  for (TableReader& reader : tables) {
    WrenchSpec wrench;
    const std::string name = reader.requiredText("body");
    wrench.body = scene.model.findBody(name);
    if (wrench.body < 0) {
      const std::string nearest = findNearest(name, names);
      reader.fail("body", fmt::format("there is no body \"{}\"", name),
                  nearest.empty() ? "See rigor info for the names." : fmt::format("Did you mean \"{}\"?", nearest));
    }
    wrench.force = reader.vector("force", wrench.force);
    wrench.torque = reader.vector("torque", wrench.torque);
    const std::string frame = reader.text("frame", "world");
    if (frame != "world" && frame != "body")
      reader.fail("frame", fmt::format("frame is \"{}\"", frame), "Write \"world\" or \"body\".");
    wrench.in_world = frame == "world";
    wrench.from = reader.notNegative("from", wrench.from);
    wrench.until = reader.number("until").value_or(wrench.until);
    if (!(wrench.until > wrench.from))
      reader.fail("until", fmt::format("until {} s is not after from {} s", wrench.until, wrench.from), "Swap them.");
    reader.finish();
    scene.wrenches.push_back(wrench);
  }
}

}  // namespace rigor
