// Where words go: results to stdout, everything else to stderr.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigor/error.h"

namespace rigor::app {

/// Work failed or could not be written, and the input is not to blame: exit code 1 where a plain Error means 2.
class WriteError : public Error {
 public:
  using Error::Error;
};

/// The reader of stdout has gone. Nothing is left to do and nobody is left to tell.
struct ClosedPipe {};

/// Writes to stdout and sees it arrive. Throws ClosedPipe, or WriteError for a full disk.
void writeResult(std::string_view text);

/// One message on stderr; trouble there is ignored. Control characters but line breaks are made visible.
void tell(std::string_view line);

/// Throws Error unless the file can be created or replaced, so that a long run does not end with nowhere to go.
void checkWritable(const std::string& file);

/// Columns padded to their widest cell; the first row is the heading.
std::string formatTable(const std::vector<std::vector<std::string>>& rows);

}  // namespace rigor::app
