#include <fmt/format.h>

#include <charconv>

#include "io/mesh/readers.h"
#include "io/mesh/text_lines.h"

namespace rigor {
namespace {

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& file) : lines_(text, file) { beginPart(""); }

  std::vector<MeshPart> read() {
    while (lines_.nextLine()) {
      const std::string_view word = lines_.nextWord();
      if (word == "v") {
        const auto [x, y, z] = lines_.threeNumbers("vertex");
        vertices_.push_back({x, y, z});
      } else if (word == "f") {
        readFace();
      } else if (word == "o" || word == "g") {
        beginPart(std::string(lines_.restOfLine()));
      }
    }
    std::erase_if(parts_, [](const MeshPart& part) { return part.mesh.triangles.empty(); });
    if (parts_.empty() && !vertices_.empty()) {  // a cloud of points may still have a hull
      beginPart("");
      parts_.back().mesh.vertices = std::move(vertices_);
    }
    return std::move(parts_);
  }

 private:
  void beginPart(std::string name) { parts_.push_back({std::move(name), {}, {}}); }

  /// Index of a vertex of the file in the part that is being read.
  int placeOf(int vertex) {
    const int part = static_cast<int>(parts_.size());
    places_.resize(vertices_.size());
    PlaceInPart& place = places_[vertex];
    if (place.part != part) {
      place = {part, static_cast<int>(parts_.back().mesh.vertices.size())};
      parts_.back().mesh.vertices.push_back(vertices_[vertex]);
    }
    return place.index;
  }

  /// "7", "7/1", "7//3" or "7/1/3": vertices count from 1, below zero from the last one back.
  int readCorner(std::string_view word) {
    const std::string_view digits = word.substr(0, word.find('/'));
    int index = 0;
    const auto [stop, status] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (status != std::errc() || stop != digits.data() + digits.size())
      lines_.fail(fmt::format("\"{}\" is no corner of a face", excerpt(word)), "Write indices such as 7 or 7/1/3.");
    const int count = static_cast<int>(vertices_.size());
    if (index == 0 || index > count || index < -count)
      lines_.fail(fmt::format("a face with vertex {}, where {} are listed so far", index, count),
                  "Vertices count from 1, or from -1 back; they must come before the face.");
    return placeOf(index > 0 ? index - 1 : count + index);
  }

  void readFace() {
    corners_.clear();
    for (std::string_view word = lines_.nextWord(); !word.empty() && word[0] != '#'; word = lines_.nextWord())
      corners_.push_back(readCorner(word));
    if (corners_.size() < 3)
      lines_.fail(fmt::format("a face with {} corners", corners_.size()), "A face needs three or more.");
    for (std::size_t i = 2; i < corners_.size(); ++i)
      parts_.back().mesh.triangles.push_back({corners_[0], corners_[i - 1], corners_[i]});
  }

  TextLines lines_;
  std::vector<Eigen::Vector3d> vertices_;  // of the whole file
  struct PlaceInPart {
    int part = 0, index = 0;
  };
  std::vector<PlaceInPart> places_;  // of each vertex in the last part (counted from 1) that it was seen in
  std::vector<int> corners_;
  std::vector<MeshPart> parts_;
};

}  // namespace

std::vector<MeshPart> readObj(std::string_view text, const std::string& file) { return ObjReader(text, file).read(); }

}  // namespace rigor
