// The part of the ZIP format that .npz files use: entries stored or deflated, no encryption, below 4 GB.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/file.h"

namespace rigor {

/// Writes entries one after another, stored: the numbers of a simulation hardly shrink and this is fast.
class ZipWriter {
 public:
  explicit ZipWriter(const std::string& path) : path_(path), file_(path) {}
  /// One entry whose content is `head` followed by `count` bytes; nothing is copied.
  void add(const std::string& name, const std::string& head, const void* bytes, std::size_t count);
  void commit();  ///< writes the directory and gives the file its name

 private:
  struct Entry {
    std::string name;
    std::uint32_t crc, size, offset;
  };
  std::string path_;
  FileWriter file_;
  std::vector<Entry> entries_;
};

/// A ZIP file in memory. Everything is checked against the file's true length before it is used; Error if wrong.
class ZipReader {
 public:
  explicit ZipReader(const std::string& path);
  const std::string& path() const { return path_; }
  bool has(const std::string& name) const;
  std::vector<std::string> names() const;
  std::string read(const std::string& name) const;  ///< inflated, its CRC checked

 private:
  struct Entry {
    std::string name;
    std::uint32_t method, crc, packed, size, offset;
  };
  [[noreturn]] void fail(const std::string& problem) const;
  std::string_view view(std::uint64_t offset, std::uint64_t count) const;
  std::uint32_t number(std::uint64_t offset, int bytes) const;
  void readDirectory();

  std::string path_, bytes_;
  std::vector<Entry> entries_;
};

}  // namespace rigor
