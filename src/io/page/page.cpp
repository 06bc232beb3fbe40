// savePage: the built viewer with the recording put inside.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "io/page/data.h"

namespace rigor {
namespace {

constexpr const char* kSlot = "@RIGOR_RECORDING@";  // viewer/src/page.html has it once

/// The user's choice, else the one installed beside the running program, else that of the build folder while it stands,
/// else where the library was to be installed.
std::string findTemplate() {
  const char* chosen = std::getenv("RIGOR_VIEWER");
  if (chosen && *chosen) return chosen;
  std::error_code none;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
  const std::string beside = (program.parent_path().parent_path() / "share/rigor/page.html").string();
  for (const std::string& file : {beside, std::string(RIGOR_VIEWER_PAGE)})
    if (std::ifstream(file)) return file;
  return RIGOR_INSTALLED_PAGE;
}

std::string readTemplate(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (text.empty())
    throw Error({file, 0, ""}, "the viewer is not built, and a page needs it",
                "Build it once with `npm ci && npm run build` in the folder viewer (Node 18 or newer), or set "
                "RIGOR_VIEWER to a built page.html. Recordings as .npz and .csv need no viewer.");
  return text;
}

}  // namespace

void savePage(const std::string& file, const Scene& scene, const Recording& recording, const RunSummary* summary,
              const EnergyLedger* ledger) {
  const std::string data = makePageData(scene, recording, summary, ledger);
  const std::string viewer = findTemplate();
  std::string page = readTemplate(viewer);
  const std::size_t slot = page.find(kSlot);
  if (slot == std::string::npos)
    throw Error({viewer, 0, ""}, "this is not the template of a rigor page",
                "Unset RIGOR_VIEWER, or let it name the page.html that `npm run build` in viewer makes.");
  page.replace(slot, std::string_view(kSlot).size(), data);

  std::ofstream out(file, std::ios::binary);
  out.write(page.data(), static_cast<std::streamsize>(page.size())).flush();
  if (!out) throw Error({file, 0, ""}, "the page cannot be written", "Check the folder, its rights and free space.");
}

}  // namespace rigor
