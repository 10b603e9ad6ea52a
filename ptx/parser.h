// PTX text -> Module. Takes what nvcc and NVRTC write, both code generators, and what people write in inline
// assembly; it checks syntax and names, not meaning: an unknown opcode parses, see ptx/opcodes.h.
// Names of inner scopes are made unique in their function ("p", "p$1"), so that a body is one flat list.
// Inside: parse_state.h, then parse_module.cpp and downwards; the way back is ptx/printer.h.
#pragma once

#include <optional>
#include <string_view>

#include "core/result.h"
#include "ptx/module.h"

namespace warplens::ptx {

/// `name` names the text in messages: "saxpy.ptx:12:5: found …". The first error ends the parse.
Result<Module> parse(std::string_view text, std::string_view name);

/// The position that a `.loc` directive kept in a body gives; nothing for any other directive.
std::optional<SourceLocation> location_of(const Directive& directive);

}  // namespace warplens::ptx
