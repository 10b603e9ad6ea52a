#include "app/pipeline/memory_limit.h"

#include <algorithm>

#include "core/free_memory.h"

namespace warplens::app {

std::uint64_t memory_limit() {
    constexpr std::uint64_t copies = 3;
    return free_memory() / copies;
}

Status check_variables(const std::string& file,
                       const std::vector<std::pair<std::string, std::uint64_t>>& variables,
                       std::uint64_t limit) {
    std::uint64_t total = 0;
    const std::pair<std::string, std::uint64_t>* largest = nullptr;
    for (const auto& variable : variables) {
        total += std::min(variable.second, ~total);
        if (!largest || variable.second > largest->second) largest = &variable;
    }
    if (total <= limit) return {};
    return fail(
        "{}: its variables need {} ({} {}), more than the limit of {} (a part of the free "
        "memory); choose smaller ones",
        file, memory_text(total), largest->first, memory_text(largest->second), memory_text(limit));
}

}  // namespace warplens::app
