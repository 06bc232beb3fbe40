// The few bytes before an array in a .npy file: type, order, shape.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rigor/error.h"

namespace rigor {

struct NpyHeader {
  std::string type;  ///< numpy's name, e.g. "<f8"
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t size = 0;  ///< bytes of the header: the data begins here
};

/// Format version 1.0.
std::string makeNpyHeader(const std::string& type, const std::vector<std::size_t>& shape);

/// Reads versions 1 to 3 and checks that the data behind the header has exactly the stated size.
NpyHeader parseNpyHeader(const std::string& content, const Place& where);

}  // namespace rigor
