// The function being parsed: its names, the position that the last .loc gave, and the operations that the
// statement and the instruction parser share. Private to the parser; see ptx/parse_state.h.
#pragma once

#include <optional>

#include "ptx/function_names.h"
#include "ptx/parse_state.h"

namespace warplens::ptx {

/// A .loc that no instruction has taken yet, and where in the body it stood.
struct PendingLocation {
    SourceLocation location;
    std::size_t statement = 0;
    PtxLine ptx_line;
};

struct FunctionState {
    FunctionState(ParseState& parse_state, Function& parsed)
        : state(parse_state), function(parsed), names(parse_state.module_names) {}

    ParseState& state;
    Function& function;
    FunctionNames names;
    SourceLocation location;
    std::optional<PendingLocation> pending_location;
};

/// One instruction with its semicolon; `first` is its guard's or opcode's token, `opcode` the word itself.
void parse_instruction(FunctionState& function, const Token& first, std::optional<Guard> guard,
                       const Token& opcode);
/// `@%p1` or `@!%p1`, the current token being the @.
Guard parse_guard(FunctionState& function);

/// `label_follows`: a bare name in this operand is a label. `in_call`: parentheses open a list.
struct OperandContext {
    bool label_follows = false;
    bool in_call = false;
};
Operand parse_operand(FunctionState& function, OperandContext context, int depth = 0);

/// A word of the text: "%tid", "%pm7", "WARP_SZ".
bool names_special_register(std::string_view word);

}  // namespace warplens::ptx
