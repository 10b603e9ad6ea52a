// A buffer as the command line writes it: "buffer:f32[1048576]=iota".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

/// Without a fill it keeps what its allocation held; std::nullopt for a text of another form.
std::optional<BufferDeclaration> parse_buffer_text(std::string_view text, const std::string& name);

/// Fills the buffer, whose type is set, by "zero", "iota", "random", "random:100" or "const:3"; false for
/// other words.
bool set_fill(std::string_view words, BufferDeclaration& buffer);

/// Random values with a fixed seed: real numbers from 0 to 1, integers from 0 to `below`; without it to 255
/// where the type has them.
void fill_randomly(BufferDeclaration& buffer, std::string_view below = {});

}  // namespace warplens::instrumentation
