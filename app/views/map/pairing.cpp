#include "app/views/map/pairing.h"

#include <algorithm>

namespace warplens::app {

using analysis::MappedArray;

const MappedArray* array_before(const std::vector<MappedArray>& now, const std::vector<MappedArray>& before,
                                const MappedArray& array) {
    const auto same = std::ranges::find(before, array.name, &MappedArray::name);
    if (same != before.end()) return &*same;
    const auto candidates = [&](const std::vector<MappedArray>& of, const std::vector<MappedArray>& others) {
        std::vector<const MappedArray*> found;
        for (const MappedArray& one : of)
            if (one.space == array.space && one.loaded == array.loaded && one.stored == array.stored &&
                std::ranges::find(others, one.name, &MappedArray::name) == others.end())
                found.push_back(&one);
        return found;
    };
    const auto mine = candidates(now, before), theirs = candidates(before, now);
    const auto at = std::ranges::find(mine, array.name, [](const MappedArray* one) { return one->name; });
    const auto index = static_cast<std::size_t>(at - mine.begin());
    return at != mine.end() && index < theirs.size() ? theirs[index] : nullptr;
}

}  // namespace warplens::app
