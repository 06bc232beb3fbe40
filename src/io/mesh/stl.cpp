#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "io/mesh/readers.h"
#include "io/mesh/text_lines.h"

namespace rigor {
namespace {

constexpr std::size_t kHeader = 80, kCount = 4, kRecord = 50;  // [bytes] of a binary file
constexpr const char* kExportAgain = "The file is damaged or cut; export the mesh again.";

bool isWord(std::string_view word, std::string_view small_letters) {
  return std::equal(word.begin(), word.end(), small_letters.begin(), small_letters.end(),
                    [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

template <class Number>
Number readAt(std::string_view bytes, std::size_t at) {
  Number value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

bool hasSizeOfBinary(std::string_view bytes) {
  return bytes.size() >= kHeader + kCount &&
         bytes.size() == kHeader + kCount + kRecord * std::size_t{readAt<std::uint32_t>(bytes, kHeader)};
}

/// Begins with the word "solid" and holds no zero byte where the header of a binary file would be.
bool looksLikeText(std::string_view bytes) {
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  if (begin == bytes.npos) return true;
  return isWord(bytes.substr(begin, 5), "solid") && bytes.substr(0, 200).find('\0') == bytes.npos;
}

/// Three new vertices and the triangle between them.
void addTriangle(Mesh& mesh) {
  const int next = static_cast<int>(mesh.vertices.size());
  mesh.triangles.push_back({next - 3, next - 2, next - 1});
}

Mesh readBinary(std::string_view bytes, const std::string& file) {
  if (bytes.size() < kHeader + kCount)
    throw Error({file, 0, ""}, fmt::format("{} bytes are no STL file", bytes.size()), kExportAgain);
  const std::size_t count = readAt<std::uint32_t>(bytes, kHeader);
  if (!hasSizeOfBinary(bytes))
    throw Error({file, 0, ""},
                fmt::format("a binary STL file of {} triangles has {} bytes; this one has {}", count,
                            kHeader + kCount + kRecord * count, bytes.size()),
                kExportAgain);
  Mesh mesh;
  mesh.vertices.reserve(3 * count);
  mesh.triangles.reserve(count);
  for (std::size_t t = 0; t < count; ++t) {
    for (int corner = 0; corner < 3; ++corner) {
      const std::size_t at = kHeader + kCount + kRecord * t + 12 * (corner + 1);  // the first 12 bytes are the normal
      const Eigen::Vector3d vertex(readAt<float>(bytes, at), readAt<float>(bytes, at + 4),
                                   readAt<float>(bytes, at + 8));
      if (!vertex.allFinite())
        throw Error({file, 0, fmt::format("triangle {}", t)}, "a coordinate is not finite", kExportAgain);
      mesh.vertices.push_back(vertex);
    }
    addTriangle(mesh);
  }
  return mesh;
}

/// One word at the beginning of each line tells what it is; names and normals behind it are not looked at.
Mesh readText(std::string_view text, const std::string& file) {
  Mesh mesh;
  TextLines lines(text, file);
  int corners = -1;  // −1: outside of any facet
  bool ended = false;
  while (lines.nextLine()) {
    const std::string_view word = lines.nextWord();
    if (word.empty() || isWord(word, "solid") || isWord(word, "outer") || isWord(word, "endloop")) continue;
    if (isWord(word, "endsolid")) {
      ended = true;
    } else if (isWord(word, "facet")) {
      if (corners >= 0) lines.fail("a facet begins inside another", kExportAgain);
      corners = 0;
    } else if (isWord(word, "vertex")) {
      if (corners < 0) lines.fail("a vertex outside of any facet", kExportAgain);
      if (++corners > 3) lines.fail("a facet with more than three vertices", "Export the mesh as triangles.");
      const auto [x, y, z] = lines.threeNumbers("vertex");
      mesh.vertices.push_back({x, y, z});
    } else if (isWord(word, "endfacet")) {
      if (corners != 3) lines.fail(fmt::format("a facet with {} vertices", std::max(corners, 0)), kExportAgain);
      addTriangle(mesh);
      corners = -1;
    } else {
      lines.fail(fmt::format("\"{}\" is no word of an STL file", excerpt(word)), kExportAgain);
    }
  }
  if (corners >= 0 || !ended) lines.fail("the file ends before \"endsolid\"", kExportAgain);
  return mesh;
}

}  // namespace

Mesh readStl(std::string_view bytes, const std::string& file) {
  if (!hasSizeOfBinary(bytes) && looksLikeText(bytes)) return readText(bytes, file);
  return readBinary(bytes, file);
}

}  // namespace rigor
