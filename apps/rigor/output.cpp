#include "output.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace rigor::app {
namespace {

// Letters on the screen: bytes that do not continue a UTF-8 sequence.
std::size_t widthOf(const std::string& text) {
  const std::string cell = printable(text);
  return static_cast<std::size_t>(
      std::count_if(cell.begin(), cell.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

void writeResult(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      throw ClosedPipe{};
    } else if (errno != EINTR) {
      throw WriteError(std::string("standard output: cannot write: ") + std::strerror(errno),
                       "Free some space, or send the output elsewhere.");
    }
  }
}

void tell(std::string_view text) {
  std::string shown;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    shown += printable(std::string(text.substr(begin, end - begin))) + "\n";
    begin = end + 1;
  }
  std::fputs(shown.c_str(), stderr);
}

void checkWritable(const std::string& file) {
  std::error_code ignored;  // a folder that may not be searched is fopen's to complain about
  const bool existed = std::filesystem::exists(file, ignored), folder = std::filesystem::is_directory(file, ignored);
  std::FILE* probe = folder ? nullptr : std::fopen(file.c_str(), "ab");
  if (!probe) {
    const int reason = folder ? EISDIR : errno;
    throw Error(Place{file, 0, ""}, std::string("cannot write this file: ") + std::strerror(reason),
                reason == ENOENT   ? "Make the folder first, or choose one that exists."
                : reason == EISDIR ? "Name a file inside it."
                                   : "Choose a place where you may write.");
  }
  std::fclose(probe);
  if (!existed) std::filesystem::remove(file);
}

std::string formatTable(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], widthOf(row[column]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t column = 0; column < row.size(); ++column)
      line += " " + printable(row[column]) + std::string(widths[column] - widthOf(row[column]) + 1, ' ');
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace rigor::app
