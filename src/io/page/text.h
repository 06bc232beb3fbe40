// JSON as it may stand inside a <script> element: no '<' anywhere, arrays of numbers as base64.
#pragma once

#include <string>
#include <vector>

namespace rigor {

/// A JSON string. Accepts what a person may call a body: quotes, line breaks (shown as the terminal shows them),
/// "</script>".
std::string quoteForPage(const std::string& name);
std::string numberForPage(double value);                        ///< null for NaN and infinity, which JSON does not have
std::string bytesForPage(const void* bytes, std::size_t size);  ///< base64

template <class Values>
std::string listForPage(const Values& values) {
  std::string out = "[";
  for (const double value : values) out += (out.size() > 1 ? "," : "") + numberForPage(value);
  return out + "]";
}

/// Little-endian bytes as base64.
template <class T>
std::string arrayForPage(const std::vector<T>& values) {
  return bytesForPage(values.data(), values.size() * sizeof(T));
}

}  // namespace rigor
