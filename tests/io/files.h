// Paths and temporary files of the io tests.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "rigor/error.h"

namespace rigor {

inline std::string sourcePath(const std::string& path) { return std::string(RIGOR_SOURCE_DIR) + "/" + path; }
inline std::string scenePath(const std::string& name) { return sourcePath("scenes/" + name); }
inline std::string badPath(const std::string& name) { return sourcePath("tests/io/bad/" + name); }

inline std::string readText(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A folder of its own for one test, gone afterwards; in memory where the machine has such a place.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const std::filesystem::path memory = "/dev/shm";
    const auto parent = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    std::string pattern = (parent / "rigor_io_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string operator()(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream((*this)(name), std::ios::binary) << text;
    return (*this)(name);
  }
  int count() const {
    return static_cast<int>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

/// The Error that `action` throws; fails the test if it throws nothing.
template <class Action>
Error expectError(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no Error was thrown";
  return Error("none");
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace rigor
