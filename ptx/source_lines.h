// The source line that a person would name for an instruction: where the outermost call of the inlined chain
// stands, as long as that is in the function's own file. Reads `.loc` chains ("PTX ISA: Debugging
// Directives").
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "ptx/module.h"

namespace warplens::ptx {

struct SourcePosition {
    std::uint32_t file = 0;  // number of `.file`; 0: none
    std::uint32_t line = 0;
};

/// Feed it the statements of one function in order.
class SourceLines {
  public:
    explicit SourceLines(const Function& function);

    /// A `.loc` kept as directive, a link of a chain.
    void see(const Directive& directive);
    SourcePosition position_of(const SourceLocation& location);

  private:
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // file, line, column

    void remember(const SourceLocation& location);

    std::uint32_t own_file_ = 0;
    std::map<Key, Key> inlined_at_;
};

}  // namespace warplens::ptx
