// What the page needs of a recording, small enough to sit inside an HTML file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigor/recording.h"

namespace rigor {

/// One JSON object without any '<', so that it may stand inside a <script> element: names, shapes, verdict, poses and
/// contacts at up to 60 frames per second, and the curves of the plots. Number arrays are base64 of little-endian
/// bytes. viewer/src/data.ts is the reader. Throws Error if the recording is empty or does not fit the scene.
std::string makePageData(const Scene& scene, const Recording& recording, const RunSummary* summary = nullptr);

/// Rows of the recording that become frames: every k-th and the last, no more than 60 per second and no more than
/// about kMaxPoses poses in all.
std::vector<int> chooseFrames(const Recording& recording, int bodies);
inline constexpr int kMaxPoses = 400'000;  ///< 11 MB of poses; a longer run gets fewer frames per second

/// Curve of `value(row)` for a plot. Few rows are kept as they are; many are cut into `buckets`, and each leaves its
/// smallest and its largest value, in the order in which they came, so that no spike is ever lost. NaN and infinity
/// count as largest. The times of the points are those of `makeCurveTimes`.
std::vector<double> makeCurve(int rows, int buckets, const std::function<double(int)>& value);
/// First and last row's time of each bucket.
std::vector<double> makeCurveTimes(const std::vector<double>& time, int buckets);

}  // namespace rigor
