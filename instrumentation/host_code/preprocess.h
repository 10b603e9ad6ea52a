// The preprocessor as far as reading host code needs it: which lines #if leaves, what macros stand for, and
// the user's own headers in their place. Operators # and ## are left to the compiler; so is every error.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "instrumentation/host_code/tokens.h"

namespace warplens::instrumentation::host_code {

struct Macro {
    bool takes_arguments = false;
    std::vector<std::string_view> parameters;
    Tokens body;
    std::uint32_t line = 0, file = 0;
};

using Macros = std::map<std::string_view, Macro>;

/// A file as it was read. The texts live as long as what was made of them.
struct File {
    std::string name;  // as an #include writes it; of the first file: its path
    std::string text;
};

struct Preprocessed {
    Tokens tokens;      // the active ones of all files, in the compiler's order, with macros unexpanded
    Tokens directives;  // the active ones that are not conditions
    Macros macros;
};

/// `files`: the source, then the headers of the user's that it includes.
Preprocessed preprocess(const std::vector<File>& files, Macros macros);

/// Adds "NAME" or "NAME=VALUE" as the command line gives them.
void add_defines(const std::vector<std::string>& defines, Macros& macros);

/// The tokens from `begin` to `end` with macros replaced; the lines are those where the macros are used.
Tokens expanded(const Tokens& tokens, std::size_t begin, std::size_t end, const Macros& macros);

/// The name that an #include directive gives; empty for all others.
std::string_view included_name(std::string_view directive);
/// What the macro of a #define stands for; empty for all other directives.
Tokens macro_body(const Token& directive);
/// "define" of "#  define X".
std::string_view directive_word(std::string_view directive);

}  // namespace warplens::instrumentation::host_code
