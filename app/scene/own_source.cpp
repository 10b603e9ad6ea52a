#include "app/scene/own_source.h"

#include "app/scene/line_map.h"

namespace warplens::app {

std::uint32_t own_source(const Program& program) {
    for (std::uint32_t i = 0; i < program.sources.size(); ++i)
        if (!program.sources[i].text.empty()) return i;
    return no_index;
}

std::vector<std::uint32_t> moved_lines(const Program& from, const Program& to) {
    const std::uint32_t before = own_source(from), after = own_source(to);
    if (before == no_index || after == no_index) return {};
    const std::string &old_text = from.sources[before].text, &text = to.sources[after].text;
    return old_text == text ? std::vector<std::uint32_t>() : map_lines(old_text, text);
}

bool run_the_same_kernel(const trace::Trace& one, const trace::Trace& other) {
    return one.launch.kernel == other.launch.kernel ||
           (!one.program.entry.empty() && one.program.entry == other.program.entry);
}

}  // namespace warplens::app
