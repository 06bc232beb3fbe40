#include "io/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "rigor/error.h"

namespace rigor {
namespace {

// A reader that went away shall be an error message, not the end of the process. The caller's own handling of
// SIGPIPE stays as it is: the signal is held back for this thread and taken away if the write raised it.
class HoldBrokenPipe {
 public:
  HoldBrokenPipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~HoldBrokenPipe() {
    if (sigismember(&before_, SIGPIPE)) return;
    const timespec now{};
    while (sigtimedwait(&pipe_, nullptr, &now) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_, before_;
};

std::string remedyFor(int code) {
  switch (code) {
    case ENOSPC:
      return "The disk is full: free some space or write to another disk. An older file of this name is kept.";
    case EPIPE:
      return "The reading program has ended. Write to a file, or keep the reader open.";
    case EACCES:
    case EPERM:
    case EROFS:
      return "Choose a place you may write to, or change its permissions.";
    case ENOENT:
      return "Make the folder first, or choose one that exists.";
    default:
      return "Try another place.";
  }
}

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : value(descriptor) {}
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
  const int value;
};

}  // namespace

std::string readFile(const std::string& path, std::uint64_t limit) {
  const Place where{path, 0, ""};
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.value < 0) {
    if (errno == ENOENT)
      throw Error(where, "no such file", "Check the path; it is taken relative to the current folder.");
    throw Error(where, fmt::format("cannot be read: {}", std::strerror(errno)), "Check its permissions.");
  }
  struct stat status{};
  if (::fstat(file.value, &status) == 0 && S_ISDIR(status.st_mode))
    throw Error(where, "is a folder, not a file", "Name a file inside it.");

  std::string text;
  if (status.st_size > 0) text.reserve(std::min<std::uint64_t>(status.st_size, limit) + 1);
  std::string chunk(std::size_t{1} << 16, '\0');
  for (;;) {
    const ssize_t count = ::read(file.value, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(where, fmt::format("cannot be read: {}", std::strerror(errno)), "Try a fresh copy.");
    if (count == 0) return text;
    if (text.size() + count > limit)
      throw Error(where, fmt::format("is larger than {} MB", limit >> 20), "This is hardly the file you meant.");
    text.append(chunk.data(), count);
  }
}

std::string computeHash(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const unsigned char byte : text) hash = (hash ^ byte) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

FileWriter::FileWriter(std::string path) : path_(std::move(path)), target_(path_), written_path_(path_) {
  struct stat status{};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw Error({path_, 0, ""}, "is a folder", "Name a file inside it.");
  beside_ = !exists || S_ISREG(status.st_mode);
  if (beside_) {
    // A link keeps pointing where it does: the new file replaces what it points to.
    std::error_code ignored;
    if (const auto real = std::filesystem::canonical(path_, ignored); !ignored) target_ = real;
    written_path_ = fmt::format("{}.{}.part", target_, ::getpid());
  }
  descriptor_ = ::open(written_path_.c_str(), O_WRONLY | O_CLOEXEC | (beside_ ? O_CREAT | O_TRUNC : 0), 0666);
  if (descriptor_ < 0) fail(errno);
}

FileWriter::~FileWriter() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (beside_) ::unlink(written_path_.c_str());
}

void FileWriter::fail(int code) const {
  throw Error({path_, 0, ""}, fmt::format("cannot be written: {}", std::strerror(code)), remedyFor(code));
}

void FileWriter::write(const void* bytes, std::size_t count) {
  const HoldBrokenPipe hold;
  const char* next = static_cast<const char*>(bytes);
  size_ += count;
  while (count > 0) {
    const ssize_t written = ::write(descriptor_, next, std::min(count, std::size_t{1} << 30));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    next += written;
    count -= static_cast<std::size_t>(written);
  }
}

void FileWriter::commit() {
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) {
    const int code = errno;
    if (beside_) ::unlink(written_path_.c_str());
    fail(code);
  }
  if (!beside_) return;
  if (::rename(written_path_.c_str(), target_.c_str()) != 0) {
    const int code = errno;
    ::unlink(written_path_.c_str());
    fail(code);
  }
}

void writeFile(const std::string& path, const std::string& text) {
  FileWriter file(path);
  file.write(text);
  file.commit();
}

bool endsWith(const std::string& text, const std::string& ending) {
  return text.size() >= ending.size() &&
         std::equal(ending.begin(), ending.end(), text.end() - static_cast<std::ptrdiff_t>(ending.size()),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

std::string fileStem(const std::string& path) { return std::filesystem::path(path).stem().string(); }
std::string fileFolder(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

}  // namespace rigor
