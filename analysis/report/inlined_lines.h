// Inlined lines: where in an inlined device function an instruction stands. A Site's line is that of the
// outermost call, so that a line's counts are all that it causes; the line within the function is read from
// the `.loc` lines of Program::ptx ("PTX ISA: Debugging Directives").
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "core/program.h"

namespace warplens::analysis {

struct InlinedPlace {
    std::uint32_t file = no_index;  // index into Program::sources
    std::uint32_t line = 0;         // 1-based; 0: the site is in no inlined function, or that is not known

    friend auto operator<=>(const InlinedPlace&, const InlinedPlace&) = default;
};

/// "line 16" of the site's own file, "helpers.h:16" of another; of several places "lines 16 and 18".
std::string inlined_words(const std::vector<InlinedPlace>& places, const Program& program,
                          std::uint32_t own_file);

/// One per site. A site of machine code is where the PTX is that it was made of.
std::vector<InlinedPlace> inlined_places(const Program& program);

}  // namespace warplens::analysis
