// Text in lines and words, as mesh files have it, with the line number for messages.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "rigor/error.h"

namespace rigor {

class TextLines {
 public:
  TextLines(std::string_view text, std::string file) : rest_(text), file_(std::move(file)) {}

  /// Goes to the next line; false at the end of the text.
  bool nextLine();
  /// The next word of this line; empty at its end. Words are separated by blanks and tabs.
  std::string_view nextWord();
  /// The rest of this line without the blanks around it.
  std::string_view restOfLine() const;
  /// The next three words as finite numbers; throws Error, calling them `what`.
  std::array<double, 3> threeNumbers(const char* what);

  int line() const { return line_; }
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const;

 private:
  std::string_view rest_, words_;
  std::string file_;
  int line_ = 0;
};

/// Text of an unknown length as it goes into a message.
std::string excerpt(std::string_view text);

}  // namespace rigor
