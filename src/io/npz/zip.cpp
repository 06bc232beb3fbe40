#include "io/npz/zip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "rigor/error.h"

namespace rigor {
namespace {

constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50;
constexpr std::uint64_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22;
constexpr std::uint64_t kFourGigabytes = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kStored = 0, kDeflated = 8;
constexpr std::uint64_t kLargestRatio = 1032;  // no deflate stream expands more than this

void put(std::string& text, std::uint64_t value, int bytes) {
  for (; bytes > 0; --bytes, value >>= 8) text.push_back(static_cast<char>(value & 0xff));
}

// The fields that the local header and the directory share, from "version needed" to "length of extra".
std::string describeEntry(std::uint32_t crc, std::uint32_t size, const std::string& name) {
  std::string text;
  put(text, 20, 2);       // version needed
  put(text, 0, 2);        // flags
  put(text, kStored, 2);  // method
  put(text, 0, 2);        // time and
  put(text, 0x21, 2);     // date: 1 January 1980, so that equal runs give equal files
  put(text, crc, 4);
  put(text, size, 4);
  put(text, size, 4);
  put(text, name.size(), 2);
  put(text, 0, 2);
  return text;
}

std::uint32_t updateCrc(std::uint32_t crc, const char* bytes, std::size_t count) {
  while (count > 0) {
    const uInt part = static_cast<uInt>(std::min<std::size_t>(count, std::size_t{1} << 30));
    crc = static_cast<std::uint32_t>(crc32(crc, reinterpret_cast<const Bytef*>(bytes), part));
    bytes += part;
    count -= part;
  }
  return crc;
}

/// Memory that can be had without pushing others out [bytes]; no bound where the system does not tell.
std::uint64_t availableMemory() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;)
    if (std::uint64_t kilobytes = 0; word == "MemAvailable:" && file >> kilobytes) return kilobytes << 10;
  return std::numeric_limits<std::uint64_t>::max();
}

bool inflateInto(std::string_view packed, std::string& out) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = inflate(&stream, Z_FINISH);
  const bool complete = status == Z_STREAM_END && stream.total_out == out.size();
  inflateEnd(&stream);
  return complete;
}

}  // namespace

void ZipWriter::add(const std::string& name, const std::string& head, const void* bytes, std::size_t count) {
  const std::uint64_t size = head.size() + count, offset = file_.size();
  if (offset + size + kLocalSize + name.size() >= kFourGigabytes)
    throw Error({path_, 0, name}, "would be larger than 4 GB", "Record fewer steps or several shorter runs.");
  std::uint32_t crc = updateCrc(0, head.data(), head.size());
  crc = updateCrc(crc, static_cast<const char*>(bytes), count);
  entries_.push_back({name, crc, static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(offset)});
  std::string local;
  put(local, kLocal, 4);
  file_.write(local + describeEntry(crc, static_cast<std::uint32_t>(size), name) + name + head);
  file_.write(bytes, count);
}

void ZipWriter::commit() {
  std::string directory;
  for (const Entry& entry : entries_) {
    put(directory, kCentral, 4);
    put(directory, 20, 2);  // made by version
    directory += describeEntry(entry.crc, entry.size, entry.name);
    put(directory, 0, 2 + 2 + 2 + 4);  // comment, disk, attributes
    put(directory, entry.offset, 4);
    directory += entry.name;
  }
  const std::uint64_t offset = file_.size(), size = directory.size();
  put(directory, kEnd, 4);
  put(directory, 0, 4);  // disks
  put(directory, entries_.size(), 2);
  put(directory, entries_.size(), 2);
  put(directory, size, 4);
  put(directory, offset, 4);
  put(directory, 0, 2);  // comment
  file_.write(directory);
  file_.commit();
}

ZipReader::ZipReader(const std::string& path) : path_(path), bytes_(readFile(path, kFourGigabytes)) { readDirectory(); }

void ZipReader::fail(const std::string& problem) const {
  throw Error({path_, 0, ""}, problem, "The file is damaged, cut short or not an .npz file; write or copy it again.");
}

std::string_view ZipReader::view(std::uint64_t offset, std::uint64_t count) const {
  if (offset > bytes_.size() || count > bytes_.size() - offset) fail("ends too early");
  return std::string_view(bytes_).substr(offset, count);
}

std::uint32_t ZipReader::number(std::uint64_t offset, int count) const {
  const std::string_view bytes = view(offset, count);
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i) value |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return value;
}

void ZipReader::readDirectory() {
  // The end record is the last thing in the file, behind it at most a comment of 64 kB.
  if (bytes_.size() < kEndSize) fail("is too short for an .npz file");
  const std::uint64_t last = bytes_.size() - kEndSize, first = last > 0xffff ? last - 0xffff : 0;
  std::uint64_t end = last;
  while (number(end, 4) != kEnd) {
    if (end == first) fail("has no ZIP directory");
    --end;
  }
  const std::uint32_t count = number(end + 10, 2);
  std::uint64_t at = number(end + 16, 4);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (number(at, 4) != kCentral) fail("has a broken ZIP directory");
    if (number(at + 8, 2) & 1) fail("is encrypted");
    Entry entry;
    entry.method = number(at + 10, 2);
    entry.crc = number(at + 16, 4);
    entry.packed = number(at + 20, 4);
    entry.size = number(at + 24, 4);
    entry.offset = number(at + 42, 4);
    if (entry.packed == kFourGigabytes || entry.size == kFourGigabytes) fail("holds an array of more than 4 GB");
    const std::uint32_t name_length = number(at + 28, 2);
    entry.name = view(at + kCentralSize, name_length);
    if (has(entry.name)) fail(fmt::format("holds \"{}\" twice", entry.name));
    entries_.push_back(entry);
    at += kCentralSize + name_length + number(at + 30, 2) + number(at + 32, 2);
  }
}

bool ZipReader::has(const std::string& name) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.name == name; });
}

std::vector<std::string> ZipReader::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(entry.name);
  return names;
}

std::string ZipReader::read(const std::string& name) const {
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.name == name; });
  if (entry == entries_.end()) fail(fmt::format("holds no \"{}\"", name));
  if (number(entry->offset, 4) != kLocal) fail(fmt::format("\"{}\" has a broken header", name));
  const std::uint64_t start =
      entry->offset + kLocalSize + number(entry->offset + 26, 2) + number(entry->offset + 28, 2);
  const std::string_view packed = view(start, entry->packed);
  std::string content;
  if (entry->method == kStored && entry->packed == entry->size) {
    content = packed;
  } else if (entry->method == kDeflated && entry->size <= kLargestRatio * (packed.size() + 1)) {
    // A small file may claim a large array: better a message than a machine that swaps or a process that is killed.
    if (entry->size > availableMemory() / 2)
      fail(fmt::format("\"{}\" unpacks to {} MB, more than half of the free memory", name, entry->size >> 20));
    content.resize(entry->size);
    if (!inflateInto(packed, content)) fail(fmt::format("\"{}\" cannot be unpacked", name));
  } else {
    fail(fmt::format("\"{}\" is packed in an unknown way", name));
  }
  if (updateCrc(0, content.data(), content.size()) != entry->crc)
    fail(fmt::format("\"{}\" does not match its check sum", name));
  return content;
}

}  // namespace rigor
