// What the page needs of a recording, small enough to sit inside an HTML file: a header once, frames appended piece by
// piece, and an end with what is known only then. viewer/src/data.ts is the reader.
//
//   {"version": 3, "header": {…}, "frames": [{…}, {…}, …], "end": {…}}
//
// No '<' anywhere, so that all of it may stand inside a <script> element. Arrays of numbers are base64 of little-endian
// bytes.
#pragma once

#include <string>

#include "rigor/recording.h"

namespace rigor {

/// Names, shapes, looks, gravity; `limit` is the ε of the judge, drawn as a line.
std::string makePageHeader(const Scene& scene, double limit);

/// Verdict, number of steps, the curves of the plots, those that a reader may choose (signals.h), where energy went (ledger.h).
std::string makePageEnd(const Scene& scene, const Recording& recording, const RunSummary* summary,
                        const EnergyLedger* ledger);

/// All of it for a recording that has ended, at up to 60 frames per second. Throws Error if the recording is empty or does
/// not fit the scene.
std::string makePageData(const Scene& scene, const Recording& recording, const RunSummary* summary = nullptr,
                         const EnergyLedger* ledger = nullptr);

}  // namespace rigor
