// A buffer as the command line writes it: "buffer:f32[1048576]=iota".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

/// "in" or "in + RADIUS" among a kernel's arguments: a buffer's name, and an expression of elements; empty:
/// 0.
struct BufferArgument {
    std::string name, offset;
};
BufferArgument parse_buffer_argument(const std::string& text);
std::string to_string(const BufferArgument& argument);

/// "buffer:f32[1048576]+16=iota": `offset` gets "16", elements from the beginning.
/// Without a fill it keeps what its allocation held; std::nullopt for a text of another form.
std::optional<BufferDeclaration> parse_buffer_text(std::string_view text, const std::string& name,
                                                   std::string* offset = nullptr);

/// Fills the buffer, whose type is set, by "zero", "iota", "random", "random:100", "const:3" or
/// "formula:i % 7"; false for other words.
bool set_fill(std::string_view words, BufferDeclaration& buffer);
/// The words that set this fill again.
std::string fill_words(const BufferDeclaration& buffer);

/// Random values with a fixed seed: real numbers from 0 to 1, integers from 0 to `below`; without it to 255
/// where the type has them.
void fill_randomly(BufferDeclaration& buffer, std::string_view below = {});

}  // namespace warplens::instrumentation
