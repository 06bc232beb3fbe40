// XML as a plain tree with line numbers, so that only one file knows the XML library.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rigor/error.h"

namespace rigor {

struct XmlElement {
  std::string name;
  int line = 0;
  std::vector<std::pair<std::string, std::string>> attributes;  ///< file order, names unique
  std::vector<XmlElement> children;                             ///< elements only, file order

  const std::string* attribute(const std::string& name) const;  ///< nullptr if absent
  const XmlElement* child(const std::string& name) const;       ///< the first of this name; nullptr if absent
};

/// The root element of an XML text. `file` is used in messages only.
XmlElement parseXml(const std::string& text, const std::string& file);

}  // namespace rigor
