// Whole files in, whole files out: a file is either written completely or left as it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rigor {

inline constexpr std::uint64_t kTextLimit = std::uint64_t{64} << 20;  ///< models, scenes, problems in text [bytes]
inline constexpr std::uint64_t kBinaryLimit = std::uint64_t{16} << 30;

/// Throws Error if the file is missing, a folder, unreadable or larger than `limit` bytes.
std::string readFile(const std::string& path, std::uint64_t limit);

/// 64-bit FNV-1a as 16 hexadecimal digits: names a text, protects against mistakes, not against malice.
std::string computeHash(const std::string& text);

/// Collects bytes in a new file beside the target; `commit` gives it the target's name. Without commit (an exception,
/// a full disk) the target keeps its old content. Targets that are not plain files (pipes, devices) are written directly.
class FileWriter {
 public:
  explicit FileWriter(std::string path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(const void* bytes, std::size_t count);
  void write(const std::string& text) { write(text.data(), text.size()); }
  std::uint64_t size() const { return size_; }  ///< bytes written so far
  void commit();

 private:
  [[noreturn]] void fail(int code) const;

  std::string path_, target_, written_path_;  // as named; links followed; where the bytes go until commit
  int descriptor_ = -1;
  bool beside_ = true;
  std::uint64_t size_ = 0;
};

void writeFile(const std::string& path, const std::string& text);

bool endsWith(const std::string& text, const std::string& ending);  ///< `ending` in small letters matches any case
std::string fileStem(const std::string& path);                      ///< "scenes/cube_drop.toml" → "cube_drop"
std::string fileFolder(const std::string& path);                    ///< "scenes/cube_drop.toml" → "scenes"

}  // namespace rigor
