#include "app/pipeline/place_buffer.h"

#include <utility>

namespace warplens::app {

Result<std::uint64_t> place_buffer(const instrumentation::PreparedBuffer& buffer,
                                   std::vector<std::byte> contents, std::uint64_t at, bool fixed,
                                   simt::GlobalMemory& memory) {
    const auto placed = at == 0 ? Status() : memory.allocate_at(at, buffer.name, std::move(contents));
    if (!placed && fixed) return tl::unexpected(placed.error());
    if (at == 0 || !placed) {
        at = memory.allocate(buffer.name, std::move(contents));
        if (buffer.guessed_length) memory.guess_length();
    }
    if (buffer.unwritten) memory.forget_contents(buffer.name);
    return at;
}

}  // namespace warplens::app
