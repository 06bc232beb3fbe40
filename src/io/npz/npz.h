// Named arrays in one file, as numpy.savez writes them and numpy.load reads them.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <vector>

#include "io/npz/zip.h"

namespace rigor {

using ArrayShape = std::vector<std::size_t>;

class NpzWriter {
 public:
  explicit NpzWriter(const std::string& path) : path_(path), zip_(path) {}
  /// T: double, int32, int64, uint64, uint8. Throws Error for NaN and infinity; the array must fill the shape.
  template <class T>
  void add(const std::string& name, const T* values, const ArrayShape& shape);
  template <class T>
  void add(const std::string& name, const std::vector<T>& values) {
    add(name, values.data(), {values.size()});
  }
  /// An [n × width] array; n follows from the length.
  template <class T>
  void add(const std::string& name, const std::vector<T>& values, std::size_t width) {
    assert((width ? values.size() % width == 0 : values.empty()) && "whole rows");
    add(name, values.data(), {width ? values.size() / width : 0, width});
  }
  /// Numbers that may be infinite.
  void addBounds(const std::string& name, const std::vector<double>& values);
  /// UTF-8 bytes; in Python: bytes(file["header"]).decode()
  void addText(const std::string& name, const std::string& text);
  void commit() { zip_.commit(); }

 private:
  std::string path_;
  ZipWriter zip_;
};

template <class T>
struct Array {
  ArrayShape shape;
  std::vector<T> values;  ///< C order
};

/// Reads arrays by name. Every mistake in the file is an Error; nothing is allocated for sizes that cannot be true.
class NpzReader {
 public:
  explicit NpzReader(const std::string& path) : zip_(path) {}
  bool has(const std::string& name) const { return zip_.has(name + ".npy"); }
  std::vector<std::string> names() const;  ///< of all arrays
  /// double accepts any number type; the integers only their own. All values are finite.
  template <class T>
  Array<T> read(const std::string& name) const;
  /// Of exactly this shape.
  template <class T>
  std::vector<T> read(const std::string& name, const ArrayShape& shape) const;
  std::vector<double> readBounds(const std::string& name) const;  ///< infinite values are fine, NaN is not
  std::string readText(const std::string& name) const;            ///< bytes, byte string or unicode string

 private:
  template <class T>
  Array<T> readAny(const std::string& name) const;
  [[noreturn]] void fail(const std::string& name, const std::string& problem) const;
  ZipReader zip_;
};

}  // namespace rigor
