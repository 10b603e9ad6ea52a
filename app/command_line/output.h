// What a command says: its result on standard output, everything else on standard error. Text that came from
// files loses its control characters on the way, and messages are one line of bounded length.
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

/// A sentence about the file at `output`, which goes to standard error where the file is standard output.
void print_about(std::string_view output, std::string_view sentence);

/// Whether all that was written to standard output arrived; the error names it and what the system said.
Status flush_result();

}  // namespace warplens::app
