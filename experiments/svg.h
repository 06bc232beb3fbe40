// What every picture is made of: a page, a frame, words.
#pragma once

#include <string>

namespace rigor::experiments {

// The page, in pixels; the legend stands to the right of the frame.
constexpr double kPageWidth = 960, kPageHeight = 520;
constexpr double kLeft = 84, kRight = 700, kTop = 48, kBottom = 462;
constexpr double kLegend = 724, kLegendLine = 22;

/// Nine colours that people with any colour vision can tell apart; more begin again with the first.
const char* colour(int index);

/// Text with what XML would read as its own replaced.
std::string escape(const std::string& text);
/// `anchor` is start, middle or end; `extra` are more attributes, with a leading blank; `text` is XML already.
std::string words(double x, double y, const char* anchor, const char* extra, const std::string& text);

/// `below`: [pixels] that the page is longer by, for names under its frame.
std::string openPage(double below = 0.0);
std::string closePage();
/// Title above the frame, names of both axes, the frame itself.
std::string drawFrame(const std::string& title, const std::string& x_label, const std::string& y_label);

}  // namespace rigor::experiments
