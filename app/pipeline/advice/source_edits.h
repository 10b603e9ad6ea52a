// Source edits: a kernel's source with lines of a change in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/scene/advice.h"

namespace warplens::app {

std::vector<std::string> lines_of(const std::string& text);

/// The source with the edits, which ascend by line. What is inserted or replaced is indented as its
/// neighbour is, unless it begins with blanks; a removed line stays, empty, so that the lines after it keep
/// their numbers.
std::string with_edits(const std::string& source, const std::vector<Edit>& edits);

/// The same as lines that go and come, and before lines that only come the one that they follow.
std::vector<ChangedLine> changed_lines(const std::string& source, const std::vector<Edit>& edits);

/// Text that goes into the source before the character at `offset`, which is on `line`, in place of some.
struct Insertion {
    std::size_t offset = 0;
    std::uint32_t line = 0;  // 1-based
    std::string text;
    std::size_t replaced = 0;  // characters, all on that line
};
/// The lines with ascending insertions in them, each line as one edit that replaces it.
std::vector<Edit> edits_of(const std::string& source, const std::vector<Insertion>& insertions);

/// Lines `first` to `last` replaced by the code, which is indented as the first of them is.
std::vector<Edit> in_place_of_lines(const std::string& source, std::uint32_t first, std::uint32_t last,
                                    const std::vector<std::string>& code);

/// Ascending by line, what is inserted before a line in front of what replaces it.
std::vector<Edit> in_order(std::vector<Edit> edits);

/// The line of the unchanged source that is `line` of the changed one; of an inserted line, the one after it.
std::uint32_t line_before(const std::vector<Edit>& edits, std::uint32_t line);

}  // namespace warplens::app
