// Text numbers: the numbers with a name in a file's text, `#define TM 4`, as knobs. Another value is another
// text: its host code is read again, so that the launch is what the program would then launch.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/result.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

/// The same name, with large or small letters.
bool is_same_word(const std::string& a, const std::string& b);

/// Constants of the text that are used in it, as parameters: half and twice their value, and so on. Without
/// those that are called as one of the kernel's parameters.
std::vector<instrumentation::ParameterDeclaration> text_knobs(const instrumentation::KernelFile& kernel);

bool has_text_number(const std::string& source, const std::string& name);

/// The text with another value of the number with that name. Errors: there is no such number, several, or the
/// value is not an integer from 1 on.
Result<std::string> with_text_number(const std::string& source, const std::string& name,
                                     const std::string& value);

struct TextSettings {
    std::string source;             // with the values in it
    std::vector<std::string> said;  // "`TM` is 2 in line 10, in place of 4", one for each
};
/// Takes the settings that name no parameter of the kernel and a number of the text out of `settings`.
/// `source`: the text as it was read. Errors: those of with_text_number.
Result<TextSettings> take_text_settings(const std::string& source, const instrumentation::KernelFile& kernel,
                                        std::map<std::string, std::string>& settings);

}  // namespace warplens::app
