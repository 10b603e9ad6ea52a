#include "app/views/shared/access_words.h"

#include <fmt/format.h>

#include <cctype>
#include <vector>

#include "app/ui/number.h"
#include "core/trimmed.h"
#include "trace/places.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

bool is_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string_view access_line(std::string_view text, std::uint32_t number) {
    for (std::uint32_t at = 1; at < number; ++at) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    return text.substr(0, text.find('\n'));
}

/// Position of the assignment in a statement; npos without one. "==", "<=", ">=" and "!=" do not count.
std::size_t assignment(std::string_view text) {
    for (std::size_t at = 1; at + 1 < text.size(); ++at) {
        if (text[at] != '=') continue;
        if (text[at + 1] == '=') {
            ++at;
            continue;
        }
        const char before = text[at - 1];
        const bool shift = at >= 2 && (before == '<' || before == '>') && text[at - 2] == before;
        if (before == '!' || ((before == '<' || before == '>') && !shift)) continue;
        return at;
    }
    return std::string_view::npos;
}

/// End of `[…][…]` that begins at `at`; npos when the brackets don't close.
std::size_t end_of_indices(std::string_view text, std::size_t at) {
    while (at < text.size() && text[at] == '[') {
        int depth = 0;
        std::size_t end = at;
        for (; end < text.size(); ++end) {
            if (text[end] == '[') ++depth;
            if (text[end] == ']' && --depth == 0) break;
        }
        if (end == text.size()) return std::string_view::npos;
        at = end + 1;
    }
    return at;
}

/// Past the members of a struct that follow the indices: the `.x` of `particles[i].x`.
std::size_t end_of_members(std::string_view text, std::size_t at) {
    while (at + 1 < text.size() && text[at] == '.' && is_identifier(text[at + 1])) {
        ++at;
        while (at < text.size() && is_identifier(text[at])) ++at;
    }
    return at;
}

std::string access_place_words(Dim3 at, Dim3 extent) {
    if (extent.z > 1) return fmt::format("({}, {}, {})", at.x, at.y, at.z);
    if (extent.y > 1) return fmt::format("({}, {})", at.x, at.y);
    return grouped(at.x);
}

}  // namespace

std::string index_expression(std::string_view line, std::string_view array, Operation operation) {
    if (array.empty()) return {};
    const std::size_t equals = assignment(line);
    const bool compound = equals != std::string_view::npos && equals > 0 &&
                          std::string_view("+-*/%&|^<>").find(line[equals - 1]) != std::string_view::npos;
    std::vector<std::string_view> left, right;
    for (std::size_t at = line.find(array); at != std::string_view::npos; at = line.find(array, at + 1)) {
        const std::size_t after = at + array.size();
        if ((at > 0 && is_identifier(line[at - 1])) || after >= line.size() || line[after] != '[') continue;
        std::size_t end = end_of_indices(line, after);
        if (end == std::string_view::npos) continue;
        end = end_of_members(line, end);
        auto& side = equals != std::string_view::npos && at < equals ? left : right;
        const std::string_view found = line.substr(at, end - at);
        if (side.empty() || side.back() != found) side.push_back(found);
    }
    if (operation == Operation::store) return left.size() == 1 ? std::string(left.front()) : std::string();
    if (compound) right.insert(right.end(), left.begin(), left.end());
    if (right.size() == 2 && right[0] == right[1]) right.pop_back();
    return right.size() == 1 ? std::string(right.front()) : std::string();
}

std::string block_words(const trace::Trace& trace, std::uint64_t block) {
    const Dim3 grid = trace.launch.geometry.grid;
    return fmt::format("block {}", access_place_words(coordinates(block, grid), grid));
}

std::string site_words(const trace::Trace& trace, SiteId site) {
    const Site& row = trace.program.sites[site];
    const std::string line =
        row.line ? fmt::format("line {}", row.line) : fmt::format("PTX line {}", row.ptx_line);
    return fmt::format("{} · {}", line, to_string(row.operation));
}

AccessWords words_of(const trace::Trace& trace, const AccessChoice& choice) {
    AccessWords words;
    const Site& site = trace.program.sites[choice.site];
    const trace::AccessRecord& record = trace.accesses[choice.access];
    const Operation operation = trace::operation_of(trace, record);
    words.verb = operation == Operation::load    ? "Load of"
                 : operation == Operation::store ? "Store to"
                                                 : "Atomic on";
    words.line = site.line ? fmt::format("line {}", site.line) : fmt::format("PTX line {}", site.ptx_line);
    if (site.line && site.file < trace.program.sources.size()) {
        std::string_view text = access_line(trace.program.sources[site.file].text, site.line);
        text = text.substr(0, text.find("//"));
        words.source_line = trimmed(text);
    }
    const trace::Addresses addresses = trace::addresses_of(trace, record);
    const std::uint64_t first = addresses[static_cast<std::size_t>(record.mask.lowest())];
    if (const auto place = trace::place_of(trace, record.space, first, site.bytes_per_lane))
        words.array = place->name;
    words.expression = index_expression(words.source_line, words.array, operation);
    if (words.expression.empty())
        words.expression = words.array.empty() ? site.opcode : fmt::format("{}[…]", words.array);

    const trace::WarpRecord& warp = trace.warps[choice.warp_record];
    const LaunchGeometry& geometry = trace.launch.geometry;
    words.thread_place = fmt::format("{} · warp {} of {}", block_words(trace, warp.block), warp.warp,
                                     geometry.warps_per_block());
    if (choice.occurrences > 1)
        words.occurrence =
            fmt::format("request {} of {}", grouped(choice.occurrence + 1u), grouped(choice.occurrences));
    return words;
}

}  // namespace warplens::app
