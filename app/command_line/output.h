// A command's output: its result on standard output, everything else on standard error. Control characters
// in text from files are removed, and messages are one line of bounded length.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "core/result.h"

namespace warplens::app {

/// Writes a report, a table or JSON to standard output.
void print_result(std::string_view text);
/// The name before each message.
void name_program(std::string name);
/// "warplens: MESSAGE" on standard error.
void print_message(std::string_view message);

/// A sentence about the file at `output`. It goes to standard error if the file is standard output.
void print_about(std::string_view output, std::string_view sentence);

/// Whether everything written to standard output arrived; the error includes the system's message.
Status flush_result();

}  // namespace warplens::app
