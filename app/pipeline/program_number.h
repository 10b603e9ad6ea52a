// Another length of a program's buffers: contents that the program made have the length that it gave them. So
// the program is run again, with another number in its text, where the argument that gives the length follows
// from one.
#pragma once

#include <optional>
#include <string>

#include "app/pipeline/program_inputs.h"

namespace warplens::app {

/// The buffer whose contents are the program's and whose length follows from the argument; empty: none.
std::string length_from(const instrumentation::LaunchDraft& draft, const std::string& argument);

/// The text with the number as it was then; nothing: it has no such number any more.
std::optional<std::string> with_number(const std::string& source, const TextNumber& number);

/// As program_inputs, with the argument that the request wants. The numbers of the text that have its value
/// are tried, those of its name first. The error says what else can be done.
Result<ProgramInputs> inputs_with_argument(Pipeline& pipeline, const ProgramInputsRequest& request);

}  // namespace warplens::app
