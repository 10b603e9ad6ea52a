#include "analysis/memory/element_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/memory/declared_shape.h"
#include "analysis/memory/declared_structure.h"
#include "core/symbol_name.h"
#include "trace/places.h"

namespace warplens::analysis {

std::string element_words(const std::string& name, const std::vector<std::uint32_t>& extents,
                          std::uint32_t element_bytes, std::uint64_t offset) {
    const std::uint64_t size = std::max(element_bytes, 1u);
    std::uint64_t element = offset / size;
    std::string indexes;
    for (std::size_t i = extents.size(); i-- > 0;) {
        const std::uint64_t extent = i == 0 ? element + 1 : std::max(extents[i], 1u);
        indexes.insert(0, fmt::format("[{}]", element % extent));
        element /= extent;
    }
    const std::uint64_t rest = offset % size;
    if (rest != 0) indexes += fmt::format(" + {} {}", rest, rest == 1 ? "byte" : "bytes");
    return name + indexes;
}

std::optional<std::string> declared_element_name(const Program& program,
                                                 const std::map<std::string, std::string>& settings,
                                                 std::string_view array, std::uint64_t array_bytes,
                                                 std::uint64_t offset) {
    const auto declared = declared_shape(program, settings, array, array_bytes);
    if (!declared || declared->extents.size() < 2) return std::nullopt;
    return element_words(std::string(array), declared->extents, declared->element_bytes, offset);
}

std::optional<std::string> structure_element_name(const trace::Trace& trace, Space space,
                                                  std::uint64_t address, std::uint32_t bytes) {
    const auto place = space == Space::global ? trace::place_of(trace, space, address, bytes) : std::nullopt;
    const auto structure = place ? declared_structure(trace.program, place->name) : std::nullopt;
    if (!structure) return std::nullopt;
    return member_words(place->name, *structure, place->element * place->element_bytes + place->byte, bytes);
}

std::string element_name(const trace::Trace& trace, Space space, std::uint64_t address, std::uint32_t bytes) {
    if (space == Space::shared)
        for (const Variable& variable : trace.program.variables) {
            if (variable.space != space || address < variable.offset ||
                address - variable.offset >= variable.bytes)
                continue;
            if (auto name =
                    declared_element_name(trace.program, trace.launch.parameters, plain_name(variable.name),
                                          variable.bytes, address - variable.offset))
                return *std::move(name);
        }
    if (auto name = structure_element_name(trace, space, address, bytes)) return *std::move(name);
    return trace::describe_address(trace, space, address, bytes);
}

}  // namespace warplens::analysis
