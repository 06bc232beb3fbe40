#include "io/xml.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <string_view>

namespace rigor {
namespace {

// The library refuses elements nested deeper than 500, so this recursion is bounded.
XmlElement copyElement(const tinyxml2::XMLElement& source) {
  XmlElement element;
  element.name = source.Name();
  element.line = source.GetLineNum();
  for (auto* attribute = source.FirstAttribute(); attribute; attribute = attribute->Next())
    element.attributes.emplace_back(attribute->Name(), attribute->Value());
  for (auto* child = source.FirstChildElement(); child; child = child->NextSiblingElement())
    element.children.push_back(copyElement(*child));
  return element;
}

std::string describe(tinyxml2::XMLError error) {
  switch (error) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "the file is empty";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "an element is closed that was not opened, or not closed at all";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is broken (missing quote or equals sign) or given twice";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
      return "an element is broken";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "a comment is not closed";
    case tinyxml2::XML_ERROR_PARSING:
      return "the file ends too early or an element is not closed";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested more than 500 deep";
    default:
      return tinyxml2::XMLDocument::ErrorIDToName(error);
  }
}

}  // namespace

const std::string* XmlElement::attribute(const std::string& key) const {
  for (const auto& [name, value] : attributes)
    if (name == key) return &value;
  return nullptr;
}

const XmlElement* XmlElement::child(const std::string& key) const {
  for (const XmlElement& element : children)
    if (element.name == key) return &element;
  return nullptr;
}

XmlElement parseXml(const std::string& text, const std::string& file) {
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos) {
    const bool at_end = text.find_first_not_of(std::string_view("\0 \t\r\n", 5), zero) == std::string::npos;
    throw Error(
        {file, 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n')),
         ""},
        at_end ? "a zero byte stands behind the end of the text" : "is not a text file: it contains zero bytes",
        at_end ? "Remove it: tr -d '\\0' < FILE > NEW." : "Give an XML file in UTF-8.");
  }
  tinyxml2::XMLDocument document;
  if (const auto error = document.Parse(text.data(), text.size()); error != tinyxml2::XML_SUCCESS)
    throw Error({file, document.ErrorLineNum(), ""}, "broken XML: " + describe(error),
                "Compare the opening and closing tags near this line.");
  const tinyxml2::XMLElement* root = document.RootElement();
  if (!root) throw Error({file, 0, ""}, "broken XML: there is no element", "Give a file with a <robot> element.");
  if (const auto* second = root->NextSiblingElement())
    throw Error({file, second->GetLineNum(), fmt::format("<{}>", second->Name())}, "broken XML: a second root element",
                "Put everything inside the first.");
  return copyElement(*root);
}

}  // namespace rigor
